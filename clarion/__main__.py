"""`python -m clarion`, the same as `clarion`."""

from clarion.cli import main

if __name__ == "__main__":
    main()
