# SPDX-License-Identifier: GPL-2.0-or-later
# Names that come from the base script: an inner class, and a script in a constant.
extends Base; class_name OneLine


@rpc func one(): pass


class A extends In:
	@rpc func a(): pass


class B extends Other:
	@rpc func b(): pass


class C: extends Other; @rpc func c(): pass
