// The actor kinds of this installation: one line each.
import { ActorKinds } from "./actors/ActorKind.ts"

export const layer = ActorKinds.layer([])
