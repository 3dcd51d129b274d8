class_name Base
extends Node
const Other = preload("res://consts.gd")
class In:
	extends Node
	@rpc func in_base(): pass
