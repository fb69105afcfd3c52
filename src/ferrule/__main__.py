"""`python -m ferrule`."""

from ferrule.interfaces.cli.entry import main

if __name__ == "__main__":
    main()
