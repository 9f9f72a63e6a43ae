// Every domain service, one line each, over one pool. The composition root builds it once per pool (api, worker).
import { Layer } from "effect"
import { Access } from "./accounts/Access.ts"
import { ApiCredentials } from "./accounts/ApiCredentials.ts"
import { Authorities } from "./accounts/Authority.ts"
import { Credentials } from "./accounts/Credentials.ts"
import { LastUsed } from "./accounts/LastUsed.ts"
import { Organizations } from "./accounts/Organizations.ts"
import { People } from "./accounts/People.ts"
import { UserChanges } from "./accounts/UserChanges.ts"
import { Users } from "./accounts/Users.ts"
import { Workspaces } from "./accounts/Workspaces.ts"
import { AutomationDefinitions } from "./automations/layer.ts"
import { RunServices } from "./automations/runs/layer.ts"
import { DateHooks } from "./automations/triggers/dueDates.ts"
import { Cursors } from "./Cursors.ts"
import { MailRoom } from "./mail/layer.ts"
import { OAuthServices } from "./oauth/services.ts"
import { Outbound } from "./outbound/Outbound.ts"
import { Outbox } from "./outbox/Outbox.ts"
import { Visitors } from "./pages/Visitors.ts"
import { RecordsRoom } from "./records/layer.ts"
import { WebhookServices } from "./webhooks/layer.ts"

const Foundations = Visitors.layer.pipe(
  Layer.provideMerge(OAuthServices),
  Layer.provideMerge(
    Layer.mergeAll(
      Access.layer,
      Authorities.layer,
      LastUsed.layer,
      UserChanges.layer,
      Outbound.layer,
      Outbox.layer,
      Cursors.layer
    )
  )
)

export const Services = Layer.mergeAll(
  Users.layer,
  Workspaces.layer,
  Credentials.layer,
  ApiCredentials.layer,
  Organizations.layer,
  People.layer,
  WebhookServices,
  MailRoom,
  RunServices.pipe(Layer.provideMerge(AutomationDefinitions))
).pipe(Layer.provideMerge(RecordsRoom.pipe(Layer.provide(DateHooks))), Layer.provideMerge(Foundations))
