// Translates developer-api.md 3.1, 4.2 and 4.5 between HTTP and the records services.

import { Effect } from "effect"
import { type AccessGrant, Granted } from "../../domain/accounts/Access.ts"
import { Caller, type CallerShape } from "../../domain/accounts/Caller.ts"
import { Apps } from "../../domain/records/apps/Apps.ts"
import { renderApp } from "../../domain/records/apps/appSchemas.ts"
import type { RecordRow } from "../../domain/records/model/RecordRow.ts"
import { Records } from "../../domain/records/reading/Records.ts"
import { Revisions } from "../../domain/records/reading/Revisions.ts"
import { switchesOf } from "../../domain/records/reading/recordSchemas.ts"
import { formatDateTime } from "../../ground/primitives/dates.ts"
import { expectedIn } from "../door/ifMatch.ts"
import { group } from "../door/lean.ts"
import { AppsApi, RecordsApi } from "./Api.ts"

export const AppsHandlers = group(
  AppsApi,
  Effect.fnUntraced(function* (handlers) {
    const apps = yield* Apps
    const page = <A>(all: ReadonlyArray<A>) => ({ total: all.length, apps: all })
    return handlers.handleAll({
      list: () =>
        Effect.map(
          Effect.flatMap(Caller, (caller) => apps.list(caller, null)),
          page
        ),
      listOfWorkspace: () =>
        Effect.map(
          Effect.flatMap(Granted, (grant) => apps.list(grant.caller, grant.workspaceId)),
          page
        ),
      get: () => Effect.map(Effect.flatMap(Granted, apps.get), renderApp),
      create: ({ payload }) =>
        Effect.map(
          Effect.flatMap(Caller, (caller) => apps.create(caller, payload)),
          renderApp
        ),
      update: ({ payload }) =>
        Effect.map(
          Effect.flatMap(Granted, (grant) => apps.update(grant, payload)),
          renderApp
        ),
      reorder: ({ payload }) =>
        Effect.map(
          Effect.flatMap(Granted, (grant) =>
            apps.reorder(
              grant,
              payload.fields.map((field) => field.field_id)
            )
          ),
          renderApp
        ),
      remove: () => Effect.map(Effect.flatMap(Granted, apps.remove), renderApp)
    })
  })
)

/** What a credential may see of what it wrote (developer-api.md 2.4). */
export const mayRead = ({ scopes }: CallerShape) => scopes === "all" || scopes.has("records:read")
export const stubOf = (record: RecordRow) => ({
  record_id: record.record_id,
  app_record_id: record.app_record_id,
  created_on: formatDateTime(record.created_on)
})

export const RecordsHandlers = group(
  RecordsApi,
  Effect.fnUntraced(function* (handlers) {
    const records = yield* Records
    const revisions = yield* Revisions
    const onRevision = <A, E, R>(
      change: (grant: AccessGrant, expected: number | undefined) => Effect.Effect<A, E, R>
    ) =>
      Effect.flatMap(expectedIn("revision"), (expected) => Effect.flatMap(Granted, (grant) => change(grant, expected)))
    const written = (caller: CallerShape) => (record: RecordRow) =>
      mayRead(caller) ? records.view(record) : Effect.succeed(stubOf(record))
    return handlers.handleAll({
      create: ({ payload, query }) =>
        Effect.flatMap(Granted, (grant) =>
          Effect.flatMap(records.create(grant, payload.fields, switchesOf(query)), written(grant.caller))
        ),
      get: ({ query }) => Effect.flatMap(Granted, (grant) => records.get(grant, query.include_deleted ?? false)),
      update: ({ payload, query }) =>
        onRevision((grant, expected) =>
          Effect.flatMap(records.update(grant, payload.fields, switchesOf(query), expected), written(grant.caller))
        ),
      remove: ({ query }) =>
        onRevision((grant, expected) =>
          Effect.flatMap(
            records.remove(grant, query.skip_trash ?? false, switchesOf(query), expected),
            written(grant.caller)
          )
        ),
      restore: ({ query }) =>
        onRevision((grant, expected) =>
          Effect.flatMap(records.restore(grant, switchesOf(query), expected), written(grant.caller))
        ),
      revisions: ({ query }) =>
        Effect.map(
          Effect.flatMap(Granted, (grant) => revisions.list(grant, query.include_deleted ?? false)),
          (all) => ({ total: all.length, revisions: all })
        ),
      revisionDelta: ({ params }) => Effect.flatMap(Granted, (grant) => revisions.delta(grant, params.revision)),
      revisionAt: ({ params }) => Effect.flatMap(Granted, (grant) => revisions.at(grant, params.revision))
    })
  })
)
