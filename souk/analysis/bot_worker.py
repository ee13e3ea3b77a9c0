"""Bot worker process that also gives advice (`python -m souk.analysis.bot_worker SANDBOX`)."""

from souk.analysis.advice import advise
from souk.bots.worker import main

if __name__ == "__main__":
    main(advise)
