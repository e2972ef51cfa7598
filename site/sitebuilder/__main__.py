import sys

from sitebuilder.cli import main

sys.exit(main())
