// The actor kinds of this installation: one line each. Webhooks come first: they may leave events for the next batch (hookFanOut.ts).

import { automationsKind } from "./domain/automations/firing/automationsActor.ts"
import { calendarKind } from "./domain/automations/schedules/dueDateActor.ts"
import { webhooksKind } from "./domain/webhooks/webhooksActor.ts"
import { ActorKinds } from "./engine/actors/ActorKind.ts"

export const layer = ActorKinds.layer([webhooksKind, automationsKind, calendarKind])
