// Resolves references to data, for all sources (developer-api.md 7.4; service.md 2.7 "Dynamic values").

import { isDeepStrictEqual } from "node:util"
import { Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { AppConfig } from "../../../platform/config/Config.ts"
import { momentOfInstant } from "../../../platform/primitives/dates.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { type Found, noMentions, nothingFound } from "../../records/fields/model/Field.ts"
import { cellOf } from "../../records/model/AppDefinition.ts"
import { Lookups } from "../../records/model/Lookups.ts"
import { recordUrl } from "../../records/model/recordUrl.ts"
import type { FieldReference, Reference } from "../model/Definition.ts"
import type { FileOutput, RecordState, RunScope } from "../model/RunScope.ts"
import { needs, RunVisibility } from "../model/RunVisibility.ts"
import type { StepFailed } from "../model/StepFailed.ts"
import type { MetaReference } from "../schema/dynamicValues.ts"
import { typeNamed } from "../schema/operators.ts"
import { isPlainObject } from "../schema/walk.ts"
import { type Role, Sources } from "./referencedRecords.ts"
import {
  authorData,
  createdData,
  type Data,
  filesData,
  filesIn,
  json,
  mention,
  momentData,
  type Named,
  named,
  nothing,
  numberData,
  recordsData,
  textData,
  todayData
} from "./resolveData.ts"
import { idsOf } from "./resolveIds.ts"
import { payloadAt, requestPart } from "./resolvePayload.ts"
import type { ShowContext } from "./resolveProperty.ts"

/** Returns the reference without its data type: what it names, whatever type it is read as. */
const untyped = (reference: unknown): unknown => {
  if (!isPlainObject(reference)) return reference
  const { data_type: _, ...rest } = reference
  return rest
}

const isFile = (value: unknown): value is FileOutput =>
  isPlainObject(value) && typeof value["file_id"] === "number" && typeof value["filename"] === "string"

type Loaded<A> = Effect.Effect<A, StepFailed | SqlError>

const CommentText = Schema.Struct({ record_id: Schema.Int, value: Schema.String })
type Comments = ReadonlyMap<number, ReadonlyArray<typeof CommentText.Type>>
/** Maximum of `all_comments` of a reference, the newest ones: steps may write any number of comments to a record (decisions P7). */
const COMMENTS_MOST = 1_000
const COMMENTS_BYTES = 1024 * 1024

export class References extends Context.Service<
  References,
  {
    readonly data: (reference: Reference, scope: RunScope, role?: Role) => Loaded<Data>
    /** Looks up everything that displaying the data needs, in one batch. */
    readonly context: (data: ReadonlyArray<Data>, scope: RunScope) => Loaded<ShowContext>
    /** Fails if the data names by id something that the author may not see (A21). */
    readonly found: (data: ReadonlyArray<Data>, scope: RunScope) => Loaded<Found>
    /** Returns the ids in the data; `kind`: plain values among them are ids of this kind, which the author has to see. */
    readonly ids: (data: Data, scope: RunScope, kind?: Named) => Loaded<ReadonlyArray<number>>
  }
>()("millrace/automations/values/References") {
  static readonly layer = Layer.effect(
    References,
    Effect.gen(function* () {
      const sql = yield* Sql
      const sources = yield* Sources
      const lookups = yield* Lookups
      const visibility = yield* RunVisibility
      const { baseUrl } = yield* AppConfig

      const fieldData = Effect.fnUntraced(function* (reference: FieldReference, scope: RunScope, role: Role) {
        const appId = yield* sources.appOfField(reference.field_id)
        if (appId === undefined) return nothing
        const { list, records } = yield* sources.of(reference, appId, scope, role)
        // A comparison mostly needs only the field's type.
        const field = yield* role === "subject" && typeNamed(reference.field_type).comparedBySettings !== true
          ? sources.knownField(reference.field_id, appId, scope)
          : Effect.map(sources.definition(appId, scope), (definition) => definition?.byId.get(reference.field_id))
        if (field === undefined) return nothing
        const cells = records.filter((record) => record.app_id === appId).map((it) => cellOf(field, it.cells, it))
        return { type: "cells", field, cells, list } satisfies Data
      })

      /** Returns the newest comments over all the records, grouped by record, the oldest first. */
      const commentsOf = Effect.fnUntraced(function* (records: ReadonlyArray<RecordState>, scope: RunScope) {
        yield* needs(scope, "records.comments:read")
        const ids = records.map(({ record_id }) => record_id)
        const rows = yield* rowsOf(CommentText)(sql`
          SELECT record_id, value FROM (
            SELECT *, sum(octet_length(value)) OVER (ORDER BY comment_id DESC) AS bytes FROM (
              SELECT comment_id, record_id, value FROM comments WHERE record_id = ANY(${ids}::bigint[])
              ORDER BY comment_id DESC LIMIT ${COMMENTS_MOST}) AS newest) AS counted
          WHERE bytes <= ${COMMENTS_BYTES} ORDER BY comment_id`)
        return Map.groupBy(rows, (row) => row.record_id)
      })

      const metaOf = (type: MetaReference["meta_type"], record: RecordState, comments: Comments): Data => {
        switch (type) {
          case "app_record_id":
            return numberData(record.app_record_id)
          case "created_at":
            return momentData(record.created_on)
          case "last_modified_at":
            return momentData(record.last_modified_on)
          case "created_by":
            return authorData(record.created_by)
          case "last_modified_by":
            return authorData(record.last_modified_by)
          case "record_id":
            return numberData(record.record_id)
          case "record_url":
            return textData(recordUrl(baseUrl, record.record_id))
          case "revision":
            return numberData(record.revision)
          case "all_comments": {
            const texts = (comments.get(record.record_id) ?? []).map(({ value }) => value)
            return { type: "named", value: texts, text: texts.join("\n") }
          }
        }
      }

      const metaData = Effect.fnUntraced(function* (reference: MetaReference, scope: RunScope, role: Role) {
        const { list, records } = yield* sources.of(reference, reference.app_id, scope, role)
        if (records.length === 0) return nothing
        const comments: Comments =
          reference.meta_type === "all_comments" ? yield* commentsOf(records, scope) : new Map()
        const each = records.map((record) => metaOf(reference.meta_type, record, comments))
        if (!list) return each[0]!
        const [first] = each
        if (first!.type !== "cells") return json(each.map((data) => (data.type === "named" ? data.value : null)))
        return { ...first!, cells: each.flatMap((data) => (data.type === "cells" ? data.cells : [])), list: true }
      })

      const globalData = Effect.fnUntraced(function* (
        { global_type }: Extract<Reference, { source: "global" }>,
        scope: RunScope
      ) {
        const { automation, now, run } = scope
        switch (global_type) {
          case "current_date":
            return todayData(momentOfInstant(now.getTime()))
          case "current_datetime":
            return momentData(momentOfInstant(now.getTime()))
          case "current_time":
            return { type: "time", at: now.getTime() } satisfies Data
          case "current_automation":
            return { type: "named", value: automation.automation_id, text: automation.name } satisfies Data
          case "current_automation_run":
            return textData(run.run_id)
          case "actions_left_in_hour":
            return numberData(yield* scope.actionsLeftInHour)
          case "most_recent_error":
            return textData(scope.mostRecentError)
        }
      })

      const triggerData = Effect.fnUntraced(function* (
        reference: Extract<Reference, { source: "trigger" }>,
        { payload, rawBody, request, trigger }: RunScope
      ): Effect.fn.Return<Data, StepFailed> {
        const instant = (millis: number | null | undefined) =>
          momentData(millis == null ? null : momentOfInstant(millis))
        const { comment, weblink } = trigger
        switch (reference.trigger_type) {
          case "webhook_payload":
            return json(yield* payload)
          case "webhook_payload_property":
            return payloadAt(yield* payload, reference.key_path, reference.data_type)
          case "webhook_raw_body":
            return textData(yield* rawBody)
          case "webhook_headers":
            return requestPart((yield* request)?.headers, reference.key?.toLowerCase())
          case "webhook_query":
            return requestPart((yield* request)?.query, reference.key)
          case "webhook_file_collection":
            return named("files", filesData(trigger.webhook_files ?? []))
          case "periodic_execution_datetime":
            return instant(trigger.scheduled_at)
          case "periodic_next_execution_datetime":
            return instant(trigger.next_scheduled_at)
          case "weblink_click_count":
            return numberData(weblink?.click_count ?? null)
          case "weblink_created_at":
            return momentData(weblink?.created_at ?? null)
          case "record_comment_or_reply_id":
            return numberData(comment === undefined ? null : (comment.reply_id ?? comment.comment_id))
          case "record_comment_or_reply_content":
            return textData(comment?.content ?? null)
          case "record_comment_or_reply_created_by":
            return authorData(comment?.created_by ?? null)
          case "record_comment_or_reply_attachments":
            return named("files", filesData((comment?.attachments ?? []).map((file_id) => ({ file_id }))))
          case "record_comment_or_reply_entity_type":
            return textData(comment === undefined ? null : comment.reply_id === undefined ? "comment" : "reply")
        }
      })

      const actionData = Effect.fnUntraced(function* (
        reference: Extract<Reference, { source: "action" }>,
        scope: RunScope
      ) {
        const output = yield* scope.output(reference.action_type, reference.app_id)
        switch (output?.type) {
          case "record_collection":
            yield* visibility.apps(scope, output.record_ids.length === 0 ? [] : [output.app_id])
            return recordsData(output.record_ids)
          case "created_record":
            return createdData(output.record_id, output.record)
          case "file_collection":
            return named("files", filesData(output.files))
          default:
            return nothing
        }
      })

      const customData = Effect.fnUntraced(function* (
        { custom_type, label }: Extract<Reference, { source: "custom" }>,
        scope: RunScope
      ) {
        const value = (yield* scope.variable({ custom_type, label })) ?? null
        if (custom_type === "single_file" || custom_type === "multi_file")
          return named("files", filesData(filesIn(value)))
        if (custom_type === "html_table_rows") {
          return { type: "html", html: Array.isArray(value) ? value.join("") : String(value ?? "") } satisfies Data
        }
        return json(value)
      })

      const data = Effect.fnUntraced(function* (reference: Reference, scope: RunScope, role: Role = "value") {
        // Inside a loop's body, a reference equal to an iterable without records gives the current item (7.7 rule 4), read as the
        // reference's own data type.
        const frame = scope.loops.findLast(
          ({ item, iterable }) => item.type === "value" && isDeepStrictEqual(untyped(iterable), untyped(reference))
        )
        if (frame?.item.type === "value") {
          const { value } = frame.item
          if (isFile(value)) return named("files", filesData([value]))
          const retyped = "data_type" in reference && !isDeepStrictEqual(frame.iterable, reference)
          return retyped ? payloadAt(value, [], reference.data_type) : json(value)
        }
        switch (reference.source) {
          case "field":
            return yield* fieldData(reference, scope, role)
          case "meta":
            return yield* metaData(reference, scope, role)
          case "trigger":
            if (reference.trigger_type.startsWith("record_comment")) yield* needs(scope, "records.comments:read")
            return yield* triggerData(reference, scope)
          case "action":
            return yield* actionData(reference, scope)
          case "global":
            return yield* globalData(reference, scope)
          case "custom":
            return yield* customData(reference, scope)
        }
      })

      const findEntities = Effect.fnUntraced(function* (all: ReadonlyArray<Data>, scope: RunScope) {
        const mentions = noMentions()
        const byId = { files: noMentions(), records: noMentions(), users: noMentions() }
        for (const each of all) {
          mention(each, mentions)
          if (each.type === "cells" && each.named !== undefined) mention(each, byId[each.named])
        }
        yield* visibility.files(scope, byId.files.files)
        yield* visibility.records(scope, byId.records.records)
        yield* visibility.users(scope, byId.users.users)
        if (Object.values(mentions).every((set) => set.size === 0)) return nothingFound
        return yield* lookups.forReading(scope.run.org_id, mentions)
      })
      const context = (all: ReadonlyArray<Data>, scope: RunScope) =>
        Effect.map(
          findEntities(all, scope),
          (it): ShowContext => ({ found: it, zone: scope.automation.timezone, baseUrl })
        )

      const ids = Effect.fnUntraced(function* (from: Data, scope: RunScope, kind?: Named) {
        const dataIds = idsOf(from, yield* findEntities([from], scope), kind)
        if (from.type !== "cells" && kind !== undefined) yield* visibility[kind](scope, dataIds)
        return dataIds
      })

      return References.of({ data, found: findEntities, context, ids })
    })
  ).pipe(Layer.provideMerge(Sources.layer), Layer.provideMerge(RunVisibility.layer))
}
