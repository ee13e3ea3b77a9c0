"""The machine: one state, rules over it, run interpreted, compiled for the CPU, or compiled for a GPU. It knows no words."""
