"""The distribution name on the package index, which differs from the import name."""

# As in pyproject.toml; "souk" on the package index is another project.
DISTRIBUTION = "souk-games"


def install_command(extra: str) -> str:
    """The pip command that installs an extra."""
    return f"pip install '{DISTRIBUTION}[{extra}]'"
