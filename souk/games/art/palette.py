"""The night market's colours, for whatever draws in a terminal."""

NIGHT, DUSK, LAMP, BRASS, SAND, CREAM, INK = "#14122b", "#241f47", "#ffcf7d", "#d9a441", "#e9d7b0", "#fbf3df", "#1b1836"
RED, YELLOW, BLUE, GREEN, WHITE = "#c8323c", "#d99a1e", "#3f74d1", "#2f8f5b", "#e8e4d8"
SEATS = ("#e06a6f", "#f0b84a", "#7ea6f0", "#63c08c", "#c79bf0", "#e9d7b0")  # names of the players
