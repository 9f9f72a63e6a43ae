// The actor kinds of this installation: one line each.
import type { Effect } from "effect"
import { type ActorKind, ActorKinds } from "./actors/ActorKind.ts"

const kinds: ReadonlyArray<Effect.Effect<ActorKind>> = []

export const layer = ActorKinds.layer(kinds)
