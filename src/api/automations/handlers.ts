// Translates developer-api.md 7.3 and the meta endpoints between HTTP and the automations services.

import { randomUUID } from "node:crypto"
import { Clock, Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { Access, Granted } from "../../domain/accounts/Access.ts"
import { Caller } from "../../domain/accounts/Caller.ts"
import {
  AutomationListing,
  type ListedWithin,
  type PageQuery
} from "../../domain/automations/definitions/AutomationListing.ts"
import { Automations } from "../../domain/automations/definitions/Automations.ts"
import { AutomationTransitions } from "../../domain/automations/definitions/AutomationTransitions.ts"
import type { AutomationView } from "../../domain/automations/definitions/automationView.ts"
import { PortableAutomations } from "../../domain/automations/definitions/PortableAutomations.ts"
import {
  DuplicateBody,
  decodeCreate,
  decodeShape,
  decodeTrigger,
  decodeUpdate,
  SchedulePreviewBody
} from "../../domain/automations/input/automationBodies.ts"
import * as Catalogue from "../../domain/automations/meta/typeCatalogue.ts"
import { fieldTypeTokens } from "../../domain/automations/schema/operators.ts"
import { previewSchedule } from "../../domain/automations/triggers/periodic/preview.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { answerCached, type CachedContent } from "../../platform/primitives/cachedContent.ts"
import { ValidationError } from "../../platform/primitives/errors.ts"
import { unknownToken } from "../../platform/text/nearest.ts"
import { showsVersion } from "../middleware/answerHeaders.ts"
import { expectedIn } from "../middleware/ifMatch.ts"
import { group } from "../middleware/requestContext.ts"
import { AutomationsApi } from "./Api.ts"
import { AutomationMetaApi } from "./MetaApi.ts"

const automation = (view: AutomationView) => Effect.as(showsVersion(view.version), { automation: view })
const defaultLimit = 50

export const AutomationsHandlers = group(
  AutomationsApi,
  Effect.fnUntraced(function* (handlers) {
    const automations = yield* Automations
    const states = yield* AutomationTransitions
    const listing = yield* AutomationListing
    const portables = yield* PortableAutomations
    const access = yield* Access
    const { scheduleMinimumSeconds } = yield* AppConfig

    const page = (within: ListedWithin, { cursor, limit, name, status, tag }: Partial<PageQuery>) =>
      Effect.flatMap(Caller, (caller) =>
        listing.page(caller, within, {
          limit: limit ?? defaultLimit,
          ...(cursor === undefined ? {} : { cursor }),
          ...(status === undefined ? {} : { status }),
          ...(name === undefined || name === "" ? {} : { name }),
          ...(tag === undefined || tag.trim() === "" ? {} : { tag })
        })
      )

    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const body = yield* Effect.fromResult(decodeCreate(payload, randomUUID))
        return yield* automation(yield* automations.create(yield* Granted, body))
      }),
      listApp: ({ params, query }) => page({ kind: "app", id: params.app_id }, query),
      listWorkspace: ({ params, query }) => page({ kind: "workspace", id: params.workspace_id }, query),
      listOrg: ({ query }) => page({ kind: "org" }, query),
      listTags: () => Effect.map(Effect.flatMap(Caller, listing.tags), (tags) => ({ tags })),
      get: () => Effect.flatMap(Effect.flatMap(Granted, automations.get), automation),
      update: Effect.fnUntraced(function* ({ endpoint, payload }) {
        const body = yield* Effect.fromResult(decodeUpdate(payload, randomUUID))
        return yield* automation(yield* automations.update(yield* Granted, body, yield* expectedIn(endpoint)))
      }),
      setTrigger: Effect.fnUntraced(function* ({ endpoint, payload }) {
        const trigger = yield* Effect.fromResult(decodeTrigger(payload, randomUUID))
        return yield* automation(yield* automations.update(yield* Granted, { trigger }, yield* expectedIn(endpoint)))
      }),
      activate: () => Effect.flatMap(Effect.flatMap(Granted, states.activate), automation),
      pause: () => Effect.flatMap(Effect.flatMap(Granted, states.pause), automation),
      remove: () => Effect.flatMap(Effect.flatMap(Granted, states.remove), automation),
      duplicate: Effect.fnUntraced(function* ({ payload }) {
        const body = yield* Effect.fromResult(decodeShape(DuplicateBody, payload))
        const grant = yield* Granted
        const appId = body.app_id ?? grant.appId
        const into = yield* access.check(grant.caller, "app", appId, 5, true)
        return yield* automation(yield* automations.duplicate(grant, into, body))
      }),
      portable: () => Effect.map(Effect.flatMap(Granted, portables.exported), (file) => ({ file })),
      import: ({ payload }) => Effect.flatMap(Caller, (caller) => portables.imported(caller, payload)),
      validate: () => Effect.flatMap(Granted, automations.validate),
      previewSchedule: Effect.fnUntraced(function* ({ payload }) {
        const { config, timezone = "UTC" } = yield* Effect.fromResult(decodeShape(SchedulePreviewBody, payload))
        return yield* Effect.fromResult(
          previewSchedule(config, timezone, {
            now: yield* Clock.currentTimeMillis,
            min_spacing_ms: scheduleMinimumSeconds * 1_000
          })
        )
      }),
      revisions: ({ query: { before_version: before, limit } }) =>
        Effect.map(
          Effect.flatMap(Granted, (grant) =>
            automations.revisions(grant, {
              ...(before === undefined ? {} : { before }),
              ...(limit === undefined ? {} : { limit })
            })
          ),
          (revisions) => ({ revisions })
        ),
      revision: ({ params }) =>
        Effect.map(
          Effect.flatMap(Granted, (grant) => automations.revision(grant, params.revision_id)),
          (revision) => ({ revision })
        ),
      revisionDiff: ({ params }) =>
        Effect.map(
          Effect.flatMap(Granted, (grant) => automations.revisionDiff(grant, params.from_id, params.to_id)),
          (differences) => ({ differences })
        ),
      restore: Effect.fnUntraced(function* ({ endpoint, params }) {
        return yield* automation(
          yield* automations.restore(yield* Granted, params.revision_id, yield* expectedIn(endpoint))
        )
      })
    })
  })
)

const respond = (stored: CachedContent) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => answerCached(stored, headers["if-none-match"]))

export const AutomationMetaHandlers = group(
  AutomationMetaApi,
  Effect.fnUntraced(function* (handlers) {
    const { scriptAsync, scriptSync } = yield* AppConfig
    const script = Catalogue.scriptCatalogue(scriptSync, scriptAsync)
    return handlers.handleAll({
      actions: () => respond(Catalogue.actionCatalogue()),
      triggers: () => respond(Catalogue.triggerCatalogue()),
      script: () => respond(script),
      filter: Effect.fnUntraced(function* ({ query }) {
        const type = query.field_type
        if (Catalogue.isKnownFieldType(type)) return yield* respond(Catalogue.filterCatalogue(type))
        const why = type === undefined ? "is required" : unknownToken(type, fieldTypeTokens)
        return yield* new ValidationError({ message: `field_type: ${why}` })
      })
    })
  })
)

/** Public, since editors fetch it without a credential. */
const published = (path: `/${string}`, stored: () => CachedContent, contentType: string) =>
  HttpRouter.add(
    "GET",
    path,
    Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      answerCached(stored(), headers["if-none-match"], contentType)
    )
  )

export const EditorFiles = Layer.mergeAll(
  published("/v1/automation/schema.json", Catalogue.publishedSchema, "application/schema+json"),
  published("/v1/automation/script.d.ts", Catalogue.declarations, "application/typescript; charset=utf-8")
)
