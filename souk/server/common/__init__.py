"""Used by every package of the server and importing none of them."""
