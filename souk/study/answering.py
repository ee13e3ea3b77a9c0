"""A process in which bots think, and advice is given (`python -m souk.study.answering CAGE`): see `souk.bots.answering`."""

from souk.bots import answering
from souk.study.advising import advise

if __name__ == "__main__":
    answering.main(advise)
