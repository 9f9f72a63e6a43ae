// Which apps an organization may give a rule (decisions O15): those that are registered, and documents, whose address may be known before anybody
// has come with it. A rule outlives its app (service.md 2.2): whoever takes one away is not asked.
import { Effect } from "effect"
import { Clients } from "./Clients.ts"
import { documentUrlFault } from "./metadataDocument.ts"

export const makeIsRuleable = Effect.map(
  Clients,
  ({ row }) =>
    (clientId: string): Effect.Effect<boolean> =>
      documentUrlFault(clientId) === undefined
        ? Effect.succeed(true)
        : Effect.map(row(clientId), (client) => client !== undefined)
)
