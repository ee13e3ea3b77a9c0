"""What all tests share: the mark that ties a test to the clauses it checks."""
