"""Reports: what happens in a game, at each number of players and for each kind of play, in figures with intervals."""

from souk.lab.report.gathering import course
from souk.lab.report.measuring import Measured, measure
from souk.lab.table_spec import check_table

__all__ = ["Measured", "check_table", "course", "measure"]
