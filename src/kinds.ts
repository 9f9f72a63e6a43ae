// The actor kinds of this installation: one line each.
import { ActorKinds } from "./actors/ActorKind.ts"
import { webhooksKind } from "./webhooks/kind.ts"

export const layer = ActorKinds.layer([webhooksKind])
