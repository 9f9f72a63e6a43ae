// Translates the listings of developer-api.md 4.2 between HTTP and the services.

import { Effect } from "effect"
import { type AccessGrant, Granted } from "../../../domain/accounts/Access.ts"
import { Listings, type RecordPage } from "../../../domain/records/listing/Listings.ts"
import { RecordGroups } from "../../../domain/records/listing/RecordGroups.ts"
import { Relations } from "../../../domain/records/listing/Relations.ts"
import { group } from "../../middleware/requestContext.ts"
import { pageAnswer } from "../answers.ts"
import { ListingsApi } from "./Api.ts"

/** Answers with the page that the grant's caller may see. */
const pageFor = <E>(read: (grant: AccessGrant) => Effect.Effect<RecordPage, E>) =>
  Effect.map(Effect.flatMap(Granted, read), pageAnswer)

export const ListingsHandlers = group(
  ListingsApi,
  Effect.fnUntraced(function* (handlers) {
    const listings = yield* Listings
    const recordGroups = yield* RecordGroups
    const relations = yield* Relations
    return handlers.handleAll({
      ofApp: ({ query }) => pageFor((grant) => listings.ofApp(grant, null, query)),
      trash: ({ query }) => pageFor((grant) => listings.trash(grant, query)),
      ofView: ({ query }) => pageFor((grant) => listings.ofView(grant, query)),
      filter: ({ payload: { filters, ...named }, query }) =>
        pageFor((grant) => listings.ofApp(grant, filters, { ...query, ...named })),
      groups: ({ payload: { filters, ...named }, query }) =>
        Effect.flatMap(Granted, (grant) => recordGroups.ofApp(grant, filters, { ...query, ...named })),
      viewGroups: ({ query }) => Effect.flatMap(Granted, (grant) => recordGroups.ofView(grant, query)),
      related: ({ params, payload, query }) =>
        pageFor((grant) => relations.related(grant, params.ref_app_id, payload, query.limit)),
      find: ({ query }) =>
        Effect.map(
          Effect.flatMap(Granted, (grant) => relations.find(grant, query.text ?? "")),
          (records) => ({ total: records.length, records })
        ),
      match: ({ payload }) =>
        Effect.map(
          Effect.flatMap(Granted, (grant) => relations.match(grant, payload.texts)),
          (matches) => ({ matches })
        )
    })
  })
)
