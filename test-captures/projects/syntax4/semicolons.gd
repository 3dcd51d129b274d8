@abstract class_name Base3 extends Node
@rpc("any_peer") @abstract func first()
@abstract @rpc("any_peer") func second(); @rpc func third(): pass
var d: Dictionary[int, Dictionary] = {
	1: {"@rpc": "func x()"},
}; @rpc func fourth(): pass
@rpc("any_peer")



func fifth(): 
	var long = """
@rpc
func no():
"""
	if true: return
	else: pass
