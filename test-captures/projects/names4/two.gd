# SPDX-License-Identifier: GPL-2.0-or-later
extends OneLine


class D extends A:
	@rpc func d(): pass


class E extends Other:
	class F extends In:
		@rpc func f(): pass


@rpc func two(): pass; var unused := 1
@rpc func three():
	pass; pass
