"""Value nets, stored as files.

`souk.kernel.net` evaluates them, `net_features.py` of a game defines their inputs, and
`souk.lab.training` trains them.
"""
