"""Reports: statistics of a game by number of players and kind of play, with intervals."""

from souk.lab.report.measure import Measurement, measure
from souk.lab.report.sampling import course
from souk.lab.table_spec import check_table

__all__ = ["Measurement", "check_table", "course", "measure"]
