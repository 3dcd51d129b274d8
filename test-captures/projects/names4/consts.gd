extends Node
@rpc func consts(): pass
