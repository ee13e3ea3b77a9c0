"""Worker processes for bots and analyses, and the queues in front of them."""
