"""`python -m recollect`: the command line."""

import sys

from recollect.cli.app import main

sys.exit(main())
