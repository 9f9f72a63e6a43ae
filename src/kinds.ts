// The actor kinds of this installation: one line each.
import { ActorKinds } from "./actors/ActorKind.ts"
import { calendarKind } from "./automations/engine/actor/calendar.ts"
import { automationsKind } from "./automations/engine/actor/kind.ts"
import { webhooksKind } from "./webhooks/kind.ts"

export const layer = ActorKinds.layer([webhooksKind, automationsKind, calendarKind])
