// Translates developer-api.md 3.1, 4.2 and 4.5 between HTTP and the records services.

import { Effect } from "effect"
import { Granted } from "../../domain/accounts/Access.ts"
import { Caller, type CallerShape, holds } from "../../domain/accounts/Caller.ts"
import { FieldConversions } from "../../domain/conversion/FieldConversions.ts"
import { Apps } from "../../domain/records/apps/Apps.ts"
import { renderApp } from "../../domain/records/apps/appSchemas.ts"
import { ownWrite, type RecordRow } from "../../domain/records/model/RecordRow.ts"
import { Records } from "../../domain/records/reading/Records.ts"
import { Revisions } from "../../domain/records/reading/Revisions.ts"
import { switchesOf } from "../../domain/records/reading/sideEffectSwitches.ts"
import { RecordWriter } from "../../domain/records/writing/RecordWriter.ts"
import { formatDateTime } from "../../platform/primitives/dates.ts"
import { showsVersion } from "../middleware/answerHeaders.ts"
import { expectedIn } from "../middleware/ifMatch.ts"
import { prefersMinimal } from "../middleware/prefer.ts"
import { group } from "../middleware/requestContext.ts"
import { AppsApi, RecordsApi } from "./Api.ts"
import { jsonText } from "./answers.ts"

export const AppsHandlers = group(
  AppsApi,
  Effect.fnUntraced(function* (handlers) {
    const apps = yield* Apps
    const conversions = yield* FieldConversions
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
      get: () =>
        Effect.flatMap(Granted, (grant) =>
          Effect.flatMap(apps.get(grant), (app) =>
            Effect.map(apps.calculationState(app), (state) => ({
              ...renderApp(app),
              permission_level: grant.level,
              ...state
            }))
          )
        ),
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
      convertField: ({ payload }) => Effect.flatMap(Granted, (grant) => conversions.convert(grant, payload)),
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

/** True if the credential may see what it wrote (developer-api.md 2.4); otherwise the answer is a stub. Who prefers a stub gets one, too. */
export const mayRead = (caller: CallerShape) => holds(caller, "records:read")
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
    const writer = yield* RecordWriter
    const renderRecord = Effect.fnUntraced(function* (caller: CallerShape, record: RecordRow) {
      if (!mayRead(caller)) return stubOf(record)
      yield* showsVersion(record.revision)
      if (yield* prefersMinimal) return stubOf(record)
      const [only] = yield* records.written([record], caller)
      // The app was deleted right after the write.
      return only === undefined ? stubOf(record) : jsonText(only)
    })
    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload, query }) {
        const { appId, caller } = yield* Granted
        const [record] = yield* writer.create(ownWrite(caller, switchesOf(query)), appId, [payload.fields])
        return yield* renderRecord(caller, record!)
      }),
      get: ({ query }) =>
        Effect.flatMap(
          Effect.flatMap(Granted, (grant) => records.get(grant, query.include_deleted ?? false, query.fields)),
          ({ revision, text }) => Effect.as(showsVersion(revision), jsonText(text))
        ),
      update: Effect.fnUntraced(function* ({ endpoint, payload, query }) {
        const { appId, caller, id } = yield* Granted
        const write = ownWrite(caller, switchesOf(query), yield* expectedIn(endpoint))
        const [record] = yield* writer.update(write, appId, [{ record_id: id, fields: payload.fields }])
        return yield* renderRecord(caller, record!)
      }),
      remove: Effect.fnUntraced(function* ({ endpoint, query }) {
        const { appId, caller, id } = yield* Granted
        const write = ownWrite(caller, switchesOf(query), yield* expectedIn(endpoint))
        const [record] = yield* writer.remove(write, appId, [id], query.skip_trash ?? false)
        return yield* renderRecord(caller, record!)
      }),
      restore: Effect.fnUntraced(function* ({ endpoint, query }) {
        const { appId, caller, id } = yield* Granted
        const write = ownWrite(caller, switchesOf(query), yield* expectedIn(endpoint))
        return yield* renderRecord(caller, yield* writer.restore(write, appId, id))
      }),
      revisions: ({ query }) =>
        Effect.map(
          Effect.flatMap(Granted, (grant) => revisions.list(grant, query.include_deleted ?? false)),
          (all) => ({ total: all.length, revisions: all })
        ),
      revisionDelta: ({ params }) => Effect.flatMap(Granted, (grant) => revisions.delta(grant, params.revision)),
      revisionAt: ({ params }) =>
        Effect.map(
          Effect.flatMap(Granted, (grant) => revisions.at(grant, params.revision)),
          jsonText
        )
    })
  })
)
