// Decides which apps an organization may give a rule (decisions O15): registered ones, and documents, whose address may be known before
// anybody has used it. A rule outlives its app (service.md 2.2), so removing a rule is not checked.
import { Effect } from "effect"
import { Clients } from "./Clients.ts"
import { documentUrlFault } from "./metadataDocument.ts"

export const makeIsPolicyClient = Effect.map(
  Clients,
  ({ row }) =>
    (clientId: string): Effect.Effect<boolean> =>
      documentUrlFault(clientId) === undefined
        ? Effect.succeed(true)
        : Effect.map(row(clientId), (client) => client !== undefined)
)
