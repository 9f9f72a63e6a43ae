// decisions O9, issue "OAuth", must hold: no credential in plain text anywhere that an operator or a thief may read. A whole life
// of the service leaves its traces in the database, the log, the metrics, the exported spans and the workflow histories; then
// every one of them is searched for every credential that was in use.
import { assert, it } from "@effect/vitest"
import { Client } from "@temporalio/client"
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js"
import { ConfigProvider, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as oauth from "oauth4webapi"
import { ApiCredentials } from "../../../src/domain/accounts/ApiCredentials.ts"
import { Organizations } from "../../../src/domain/accounts/Organizations.ts"
import { People } from "../../../src/domain/accounts/People.ts"
import { allScopes } from "../../../src/domain/accounts/Scope.ts"
import { Connections } from "../../../src/domain/connections/Connections.ts"
import { Clients } from "../../../src/domain/oauth/clients/Clients.ts"
import { AuditLog } from "../../../src/platform/audit/AuditLog.ts"
import { AppConfig } from "../../../src/platform/config/Config.ts"
import { freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { type ServiceProcess, startService } from "../../support/processes.ts"
import { answers, type Receiver, receiver } from "../../support/receiver.ts"
import { eventually } from "../../support/spine.ts"
import { freshNamespace, TestConnection, temporalAddress } from "../../support/temporal.ts"
import { browser, codeFlow, discover, dynamicClient, insecure, REDIRECT } from "./strictClient.ts"

const promise = <A>(body: () => Promise<A>) => Effect.promise(body)

const setting = Effect.gen(function* () {
  const url = yield* freshDatabaseUrl
  const namespace = yield* freshNamespace
  const outside = yield* receiver()
  outside.on("/v1/traces", answers.status(200, { "content-type": "application/json" }, "{}"))
  const service = yield* startService(url, {
    ROLE: "all",
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace,
    OTEL_EXPORTER_OTLP_ENDPOINT: outside.origin,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OUTBOUND_ALLOW: outside.hostPort,
    LOG_LEVEL: "trace"
  })
  return { url, namespace, outside, service }
})
interface Setting {
  readonly url: string
  readonly namespace: string
  readonly outside: Receiver
  readonly service: ServiceProcess
}

/** What the operator makes, by the services that the command line calls. */
const operation = (origin: string) =>
  Layer.mergeAll(Clients.layer, People.layer, Organizations.layer, ApiCredentials.layer).pipe(
    Layer.provide(Connections.layer),
    Layer.provide(AuditLog.layer),
    Layer.provide(AppConfig.layer),
    Layer.provide(
      ConfigProvider.layer(
        ConfigProvider.fromUnknown({
          BASE_URL: origin,
          DATABASE_URL: "postgres://unused",
          SECRET_KEY: Buffer.alloc(32, 9).toString("base64")
        })
      )
    )
  )

/** What the database holds of what runs in the background. */
const awaitBackground = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* eventually(
    "deliveries and runs",
    sql<{ delivered: number; over: number; open: number }>`
      SELECT (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'delivered') AS delivered,
        (SELECT count(*)::int FROM runs WHERE status = 'completed') AS over, (SELECT count(*)::int FROM outbox) AS open`,
    ([row]) => row!.delivered >= 1 && row!.over >= 2 && row!.open === 0
  )
})

/** Everything with a credential, from each kind of client, person and receiver; answers all that must stay hidden. */
const live = Effect.fnUntraced(function* ({ outside, service }: Setting) {
  const { origin } = service
  const sql = yield* SqlClient.SqlClient
  const email = "keeper@harbor.example"
  const password = "seven wet herons"
  const clients = yield* Clients
  const people = yield* People
  const org = yield* (yield* Organizations).create("Harbor Works")
  const person = yield* people.create({ email, name: "Keeper" })
  yield* people.setPassword(person.person_id, password)
  const user = yield* (yield* Organizations).addUser(org.org_id, email, "owner")
  const account = { email, password, userId: user.user_id }
  const link = yield* people.oneTimeLink(person.person_id)
  const pat = yield* (yield* ApiCredentials).mintToken(user.user_id, {
    name: "All",
    scopes: allScopes,
    selection: "all"
  })
  const partner = yield* clients.register({
    kind: "confidential",
    name: "Partner",
    redirectUris: [REDIRECT],
    pkceWaived: false,
    ownService: true,
    oneConnection: false
  })
  const [workspace] = yield* sql<{ workspace_id: number }>`SELECT workspace_id FROM workspaces`
  const secrets: Record<string, string> = {
    password,
    "personal access token": pat.token,
    "client secret": partner.secret!,
    "one-time link": new URL(link.url).pathname.split("/").at(-1)!,
    "mistyped password": "not quite the password"
  }
  const api = async (method: string, path: string, body?: object, token: string = pat.token): Promise<any> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const reply = await fetch(`${origin}/v1${path}`, init)
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return JSON.parse(text)
  }

  yield* promise(async () => {
    const invited = await api("POST", "/org/user", { name: "New", email: "new@example.com", role: "member" })
    secrets["invitation"] = invited.invitation_url.split("/").at(-1)
    await fetch(invited.invitation_url)
    const title = { field_type: "single_text", config: { label: "Title", required: true } }
    const { app_id } = await api("POST", "/app", {
      workspace_id: workspace!.workspace_id,
      name: "Books",
      item_name: "Book",
      fields: [title]
    })
    const as = await discover(origin)
    const client = await dynamicClient(as)
    const { tokens, code, verifier, user: screen } = await codeFlow(as, client, oauth.None(), account)
    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token!, insecure)
    )
    Object.assign(secrets, {
      "access token": tokens.access_token,
      "refresh token": tokens.refresh_token,
      code,
      verifier,
      "session cookie": screen.session(),
      "second access token": refreshed.access_token,
      "second refresh token": refreshed.refresh_token
    })
    for (const auth of [oauth.ClientSecretBasic, oauth.ClientSecretPost]) {
      const partnerClient: oauth.Client = { client_id: partner.client.client_id }
      const partnerTokens = (await codeFlow(as, partnerClient, auth(partner.secret!), account)).tokens
      const introspection = await oauth.introspectionRequest(
        as,
        partnerClient,
        auth(partner.secret!),
        partnerTokens.access_token,
        insecure
      )
      assert.strictEqual(introspection.status, 200)
      secrets[`access token of the partner, ${auth.name}`] = partnerTokens.access_token
      secrets[`refresh token of the partner, ${auth.name}`] = partnerTokens.refresh_token!
    }
    // Where clients and people put them by mistake.
    for (const query of [
      `access_token=${refreshed.access_token}`,
      `token=${tokens.refresh_token}&x=1`,
      `client_secret=${partner.secret!}`
    ]) {
      for (const path of ["/v1/user", "/oauth/authorize", "/oauth/token", "/mcp", "/nowhere", "/sign-in"])
        await fetch(`${origin}${path}?${query}`, { method: path === "/oauth/token" ? "POST" : "GET" })
    }
    await fetch(`${origin}/oauth/token`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokens.access_token}` },
      body: JSON.stringify({ grant_type: "authorization_code", client_id: client.client_id, code })
    })
    const replay = { grant_type: "authorization_code", client_id: client.client_id, code, code_verifier: verifier }
    assert.strictEqual(
      (await fetch(`${origin}/oauth/token`, { method: "POST", body: new URLSearchParams(replay) })).status,
      400
    )
    await fetch(link.url)
    const other = browser(origin, account)
    const page = await other.go("/sign-in")
    const form = { csrf: other.hidden(page.html, "csrf"), email, password: secrets["mistyped password"]! }
    await other.go("/sign-in", form)

    const rotated = await fetch(`${origin}/console/account/credentials/rotate-key`, {
      method: "POST",
      headers: { "content-type": "application/json", origin, cookie: `millrace_session=${screen.session()}` },
      body: JSON.stringify({ as: user.user_id })
    })
    secrets["API key"] = /user_key_[\w-]{20,}/.exec(await rotated.text())![0]
    assert.strictEqual((await api("GET", "/user", undefined, secrets["API key"])).user_id, user.user_id)

    const hook = await api("POST", `/hook/app/${app_id}`, {
      type: "record.create",
      url: `${outside.origin}/hook?key=of-the-receiver`
    })
    secrets["key in a hook's URL"] = "of-the-receiver"
    secrets["hook secret"] = (await api("GET", `/hook/${hook.hook_id}/secret`)).secret
    await api("POST", `/hook/${hook.hook_id}/verify/request`)
    const received = () => outside.of("/hook?key=of-the-receiver").length > 0
    await Effect.runPromise(eventually("the verification code", Effect.sync(received), (there) => there))
    const verification = JSON.parse(outside.of("/hook?key=of-the-receiver")[0]!.body)
    secrets["verification code"] = verification.code
    await api("POST", `/hook/${hook.hook_id}/verify/validate`, { code: verification.code })

    const automate = async (name: string, trigger: object) => {
      const call = {
        type: "http_call",
        config: {
          http_call_type: "post",
          http_call_url: [`${outside.origin}/called`]
        }
      }
      const body = { name, trigger, actions: [call] }
      const { automation } = await api("POST", `/automation/app/${app_id}`, body)
      await api("POST", `/automation/${automation.id}/activate`)
      return automation
    }
    const inbound = await automate("Inbound", { type: "webhook_received", config: {} })
    secrets["inbound webhook"] = new URL(inbound.trigger.config.webhook_url).pathname.split("/").at(-1)!
    assert.isBelow((await fetch(inbound.trigger.config.webhook_url, { method: "POST", body: "{}" })).status, 300)
    const clicked = await automate("Clicked", { type: "weblink_clicked", config: {} })
    const record = await api("POST", `/record/app/${app_id}`, { fields: { title: "Tide tables" } })
    const createdWeblink = await api("POST", "/automation/weblink/generate", {
      trigger_workflow_def_id: clicked.id,
      trigger_on_record_id: record.record_id
    })
    secrets["weblink"] = createdWeblink.trigger_token
    assert.isBelow((await fetch(createdWeblink.trigger_client_url)).status, 400)
  })
  return secrets
})

/** Base64 payloads of a history, read. */
const readable = (text: string) =>
  text.replaceAll(/"([A-Za-z0-9+/]{12,}={0,2})"/g, (_, encoded) =>
    JSON.stringify(Buffer.from(encoded, "base64").toString())
  )

const historiesOf = (namespace: string) =>
  Effect.flatMap(TestConnection, (connection) =>
    promise(async () => {
      const client = new Client({ connection, namespace })
      const histories = new Map<string, string>()
      for await (const { workflowId, runId, memo, searchAttributes } of client.workflow.list()) {
        const history = historyToJSON(await client.workflow.getHandle(workflowId, runId).fetchHistory())
        histories.set(`history of ${workflowId} ${runId}`, readable(JSON.stringify([memo, searchAttributes, history])))
      }
      return histories
    })
  )

it.live(
  "O9: no credential in plain text in the database, the logs, the metrics, the traces or the workflow histories",
  () =>
    Effect.gen(function* () {
      const scene = yield* setting
      const { url, namespace, outside, service } = scene
      const pool = layerOn(url, 2)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const secrets = yield* Effect.provide(live(scene), operation(service.origin))
        yield* awaitBackground
        const textByPlace = new Map<string, string>()
        const tables = yield* sql<{ name: string }>`
          SELECT relname AS name FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`
        for (const { name } of tables) {
          const rows = yield* sql<{ row: string }>`SELECT t::text AS row FROM ${sql(name)} t`
          textByPlace.set(`table ${name}`, rows.map(({ row }) => row).join("\n"))
        }
        textByPlace.set("metrics", yield* promise(async () => (await fetch(`${service.origin}/metrics`)).text()))
        // Spans leave in order: with this one, all before it have arrived.
        yield* promise(() => fetch(`${service.origin}/the-last-one`))
        const spans = Effect.sync(() =>
          outside
            .of("/v1/traces")
            .map(({ body }) => body)
            .join("\n")
        )
        textByPlace.set("traces", yield* eventually("spans", spans, (text) => text.includes("/the-last-one")))
        textByPlace.set("log", service.output())
        // What has run is listed a moment later.
        const kinds = ["webhooks/app/1", "webhooks/verify/", "automations/app/1", "/runs/"]
        const histories = yield* eventually("every kind of workflow is listed", historiesOf(namespace), (found) =>
          kinds.every((kind) => [...found.keys()].some((key) => key.includes(kind)))
        )
        for (const [place, text] of histories) textByPlace.set(place, text)

        // Each place tells something, or searching it would show nothing.
        assert.include(textByPlace.get("table audit_log"), "TOKEN_CODE_REPLAYED")
        assert.include(textByPlace.get("metrics"), "millrace_oauth_requests_total")
        assert.include(textByPlace.get("traces"), "/oauth/token")
        assert.include(textByPlace.get("log"), "/oauth/token")

        const leaks: Array<string> = []
        for (const [what, secret] of Object.entries(secrets)) {
          assert.isString(secret, what)
          assert.isAtLeast(secret.length, 6, what)
          const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString("hex"), btoa(secret)]
          for (const [place, text] of textByPlace) {
            if (forms.some((form) => text.includes(form))) leaks.push(`${what} in ${place}`)
          }
        }
        for (const [place, text] of textByPlace) {
          if (/(svc_(oat|ort|oac|ocs|pat)|user_key|whsec)_[\w+/-]{20}/.test(text)) leaks.push(`a prefix in ${place}`)
        }
        // The address is its owner's to read and write.
        assert.deepStrictEqual(leaks, ["key in a hook's URL in table hooks"])
      }).pipe(Effect.provide(pool))
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(TestConnection.layer)))
)
