"""`python -m recollect`: the command line."""

import sys

from recollect.adapters.cli.app import main

sys.exit(main())
