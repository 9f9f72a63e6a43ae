// The actor kinds of this installation: one line each.

import { calendarKind } from "./domain/automations/engine/actor/calendar.ts"
import { automationsKind } from "./domain/automations/engine/actor/kind.ts"
import { webhooksKind } from "./domain/webhooks/kind.ts"
import { ActorKinds } from "./engine/actors/ActorKind.ts"

export const layer = ActorKinds.layer([webhooksKind, automationsKind, calendarKind])
