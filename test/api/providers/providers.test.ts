// decisions P3, W9, "The console": mail accounts and authentication providers over the API. Kept by owners and admins; secrets are written and
// never read back, nor sent anywhere but where they were written for; servers of private networks are refused when they are kept and when they
// are used.
import type { ServerResponse } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../../src/platform/audit/AuditLog.ts"
import { Mail } from "../../../src/platform/mail/Mail.ts"
import { startSmtp } from "../../platform/mail/smtp.ts"
import { App, appLayer, seedOrganization, seedToken, seedUser } from "../../support/app.ts"
import { openTransactions } from "../../support/database.ts"
import { eventually } from "../../support/eventually.ts"
import { receiver } from "../../support/receiver.ts"

const caller = (token: string) =>
  Effect.fnUntraced(function* (method: string, path: string, body?: object) {
    const app = yield* App
    return yield* app.call(method, `/v1${path}`, { token, ...(body === undefined ? {} : { body }) })
  })

const organization = Effect.gen(function* () {
  const { orgId, owner } = yield* seedOrganization()
  return { orgId, owner, call: caller(owner.key) }
})

const account = (host: string, port: number) => ({
  name: "Harbor mail",
  host,
  port,
  security: "none",
  username: "harbor",
  password: "secret",
  from_address: "harbor@example.com"
})

const wrongAt = (answer: { readonly status: number; readonly json: any }) => [
  answer.status,
  String(answer.json.error_message).split(":")[0]
]

/** A mail server and a token endpoint on loopback that the operator has excepted. */
class Servers extends Context.Service<
  Servers,
  {
    readonly smtp: Effect.Success<ReturnType<typeof startSmtp>>
    readonly tokens: Effect.Success<ReturnType<typeof receiver>>
  }
>()("test/api/providers/Servers") {}

const servers = Layer.effect(Servers, Effect.all({ smtp: startSmtp(), tokens: receiver() }))
const app = Layer.unwrap(
  Effect.map(Servers, ({ smtp, tokens }) => appLayer({ OUTBOUND_ALLOW: `127.0.0.1:${smtp.port},${tokens.hostPort}` }))
)

layer(app.pipe(Layer.provideMerge(servers)), { excludeTestServices: true })(
  "mail accounts and providers over the API",
  (it) => {
    it.effect("a mail account is added, tried, changed and deleted; its password is in no answer", () =>
      Effect.gen(function* () {
        const { smtp } = yield* Servers
        smtp.taken.splice(0)
        const { call, orgId } = yield* organization
        const createReply = yield* call("POST", "/smtp-account", account("127.0.0.1", smtp.port))
        assert.strictEqual(createReply.status, 200, JSON.stringify(createReply.json))
        const { smtp_account_id } = createReply.json
        assert.deepInclude(createReply.json, { is_default: true, password_set: true, username: "harbor" })
        const accountPath = `/smtp-account/${smtp_account_id}`
        assert.deepStrictEqual((yield* call("POST", `${accountPath}/try`)).json, { works: true, message: null })
        assert.deepStrictEqual([smtp.taken.length, smtp.taken[0]!.user], [1, "harbor"])
        const changed = yield* call("PUT", accountPath, { name: "Post", from_name: "Harbor", password: "wrong" })
        assert.deepInclude(changed.json, { name: "Post", from_name: "Harbor", host: "127.0.0.1" })
        const tryResult = (yield* call("POST", `${accountPath}/try`)).json
        assert.strictEqual(tryResult.works, false)
        assert.include(tryResult.message, "refused the sign-in")
        const without = yield* call("PUT", accountPath, { username: null })
        assert.deepInclude(without.json, { username: null, password_set: false })
        const accountList = (yield* call("GET", "/smtp-account")).json
        assert.deepStrictEqual([accountList.total, accountList.smtp_accounts[0].smtp_account_id], [1, smtp_account_id])
        for (const { json } of [createReply, changed, without, { json: accountList }]) {
          assert.notInclude(JSON.stringify(json), "secret")
          assert.notInclude(JSON.stringify(json), '"password":')
        }
        assert.strictEqual((yield* call("DELETE", accountPath)).status, 200)
        assert.strictEqual((yield* call("DELETE", accountPath)).status, 404)
        const audit = yield* AuditLog
        const auditRows = yield* audit.read({ orgId, event: "smtp_account" })
        assert.deepStrictEqual(
          auditRows.toReversed().map(({ event }) => event.split(".")[1]),
          ["created", "tried", "changed", "tried", "changed", "removed"]
        )
        assert.deepStrictEqual(auditRows[3]!.details["changed"], ["name", "password", "from_name"])
        assert.notInclude(JSON.stringify(auditRows), "secret")
      }).pipe(Effect.scoped)
    )

    it.effect("attack: a secret is sent nowhere but where it was written for", () =>
      Effect.gen(function* () {
        const { smtp: allowed, tokens } = yield* Servers
        const { call } = yield* organization
        const { json } = yield* call("POST", "/smtp-account", account("127.0.0.1", allowed.port))
        for (const move of [{ host: "mail.example.com" }, { security: "starttls" }, { username: "other" }])
          assert.deepStrictEqual(
            wrongAt(yield* call("PUT", `/smtp-account/${json.smtp_account_id}`, move)).at(0),
            400,
            JSON.stringify(move)
          )
        const provider = {
          name: "Port",
          grant_type: "client_credentials",
          token_url: `${tokens.origin}/token`,
          client_id: "harbor",
          client_secret: "a client's secret"
        }
        const createdProvider = (yield* call("POST", "/authentication-provider", provider)).json
        const providerPath = `/authentication-provider/${createdProvider.authentication_provider_id}`
        for (const move of [{ token_url: `${tokens.origin}/elsewhere` }, { client_id: "another" }])
          assert.deepStrictEqual(wrongAt(yield* call("PUT", providerPath, move)), [400, "client_secret"])
        const moved = yield* call("PUT", providerPath, { client_id: "another", client_secret: "its own secret" })
        assert.deepInclude(moved.json, { client_id: "another", client_secret_set: true })
      })
    )

    it.effect(
      "attack: a server of a private network is refused when it is kept, in every spelling, and when it is used",
      () =>
        Effect.gen(function* () {
          const { smtp: allowed } = yield* Servers
          const { call, orgId } = yield* organization
          for (const host of ["127.0.0.1", "10.0.0.5", "0x7f.1", "2130706433", "169.254.169.254", "localhost"])
            assert.deepStrictEqual(
              wrongAt(yield* call("POST", "/smtp-account", account(host, 587))),
              [400, "host"],
              host
            )
          for (const host of ["mail.example.com/x", "user@mail.example.com", "mail example", "mail.example.com:25"])
            assert.deepStrictEqual(
              wrongAt(yield* call("POST", "/smtp-account", account(host, 587))),
              [400, "host"],
              host
            )
          assert.deepStrictEqual(wrongAt(yield* call("POST", "/smtp-account", account("192.0.2.1", 22))), [400, "port"])
          const token_url = "http://169.254.169.254/token"
          const provider = {
            name: "Port",
            grant_type: "client_credentials",
            token_url,
            client_id: "a",
            client_secret: "b"
          }
          assert.deepStrictEqual(wrongAt(yield* call("POST", "/authentication-provider", provider)), [400, "token_url"])

          // A name that was public when the account was kept and is private now.
          const smtp = yield* startSmtp({ closeTimeout: 10 })
          const { json } = yield* call("POST", "/smtp-account", account("127.0.0.1", allowed.port))
          const sql = yield* SqlClient.SqlClient
          const port = Number(new URL(smtp.url).port)
          yield* sql`
          UPDATE smtp_accounts SET port = ${port}, version = version + 1 WHERE smtp_account_id = ${json.smtp_account_id}`
          const tried = (yield* call("POST", `/smtp-account/${json.smtp_account_id}/try`)).json
          assert.strictEqual(tried.works, false)
          assert.include(tried.message, "not reached")
          const mail = yield* Mail
          const sendResult = yield* Effect.result(
            mail.send({ orgId, to: "a@example.com", subject: "s", text: "t", messageId: "guarded" })
          )
          assert.deepInclude(sendResult, { _tag: "Failure" })
          assert.strictEqual(smtp.taken.length, 0)
          yield* sql`
          UPDATE smtp_accounts SET guarded = false, version = version + 1 WHERE smtp_account_id = ${json.smtp_account_id}`
          const trusted = yield* call("POST", `/smtp-account/${json.smtp_account_id}/try`)
          assert.deepStrictEqual(trusted.json, { works: true, message: null })
          assert.strictEqual(smtp.taken.length, 1)
        }).pipe(Effect.scoped)
    )

    it.effect("an account of the operator that an admin moves to another server is one of the organization's", () =>
      Effect.gen(function* () {
        const { smtp: allowed } = yield* Servers
        const { call } = yield* organization
        const { json } = yield* call("POST", "/smtp-account", account("127.0.0.1", allowed.port))
        const sql = yield* SqlClient.SqlClient
        const accountPath = `/smtp-account/${json.smtp_account_id}`
        yield* sql`UPDATE smtp_accounts SET guarded = false WHERE smtp_account_id = ${json.smtp_account_id}`
        const guarded = Effect.gen(function* () {
          const [row] = yield* sql<{ guarded: boolean }>`
            SELECT guarded FROM smtp_accounts WHERE smtp_account_id = ${json.smtp_account_id}`
          return row!.guarded
        })
        assert.strictEqual((yield* call("PUT", accountPath, { name: "Post" })).status, 200)
        assert.isFalse(yield* guarded)
        assert.deepStrictEqual(
          wrongAt(yield* call("PUT", accountPath, { host: "10.0.0.5", port: 587, password: "secret" })),
          [400, "host"]
        )
        assert.strictEqual((yield* call("PUT", accountPath, { security: "starttls", password: "secret" })).status, 200)
        assert.isTrue(yield* guarded)
      })
    )

    it.effect("a provider is added, tried, changed and deleted; its secrets and tokens are in no answer", () =>
      Effect.gen(function* () {
        const { tokens } = yield* Servers
        tokens.on("/token", ({ body }, response) => {
          const right = new URLSearchParams(body).get("scope") === "quay"
          response
            .writeHead(right ? 200 : 400, { "content-type": "application/json" })
            .end(right ? '{"access_token":"hidden-token","expires_in":3600}' : '{"error":"invalid_scope"}')
        })
        const { call, orgId } = yield* organization
        const createReply = yield* call("POST", "/authentication-provider", {
          name: "Port",
          grant_type: "client_credentials",
          token_url: `${tokens.origin}/token`,
          client_id: "harbor",
          client_secret: "hidden-secret",
          scope: "pier"
        })
        assert.strictEqual(createReply.status, 200, JSON.stringify(createReply.json))
        const providerPath = `/authentication-provider/${createReply.json.authentication_provider_id}`
        const failedTry = yield* call("POST", `${providerPath}/try`)
        assert.deepStrictEqual(failedTry.json, {
          works: false,
          message: "The token endpoint answered invalid_scope (status 400)."
        })
        assert.deepInclude((yield* call("PUT", providerPath, { scope: "quay" })).json, {
          scope: "quay",
          client_secret_set: true
        })
        const tried = yield* call("POST", `${providerPath}/try`)
        assert.deepStrictEqual(tried.json, { works: true, message: null })
        const listReply = yield* call("GET", "/authentication-provider")
        assert.isString(listReply.json.authentication_providers[0].expires_on)
        for (const { json } of [createReply, tried, listReply]) assert.notInclude(JSON.stringify(json), "hidden")
        assert.strictEqual((yield* call("DELETE", providerPath)).status, 200)
        assert.strictEqual((yield* call("GET", `${providerPath}/usage`)).status, 404)
        const auditRows = yield* (yield* AuditLog).read({ orgId, event: "authentication_provider" })
        assert.deepStrictEqual(
          auditRows.toReversed().map(({ event }) => event.split(".")[1]),
          ["created", "tried", "changed", "tried", "removed"]
        )
        assert.notInclude(JSON.stringify(auditRows), "hidden")
      }).pipe(Effect.scoped)
    )

    it.effect("no transaction is open while the token endpoint is awaited, with an Idempotency-Key neither", () =>
      Effect.gen(function* () {
        const { tokens } = yield* Servers
        const { call, owner } = yield* organization
        const openResponses: Array<ServerResponse> = []
        tokens.on("/slow", (_, response) => void openResponses.push(response))
        const createReply = yield* call("POST", "/authentication-provider", {
          name: "Port",
          grant_type: "client_credentials",
          token_url: `${tokens.origin}/slow`,
          client_id: "harbor",
          client_secret: "hidden-secret"
        })
        const app = yield* App
        const tryPath = `/v1/authentication-provider/${createReply.json.authentication_provider_id}/try`
        const headers = { "idempotency-key": "one try" }
        const trying = yield* Effect.forkChild(app.call("POST", tryPath, { token: owner.key, headers }))
        yield* eventually(
          "the token request",
          Effect.sync(() => openResponses.length),
          (n) => n === 1
        )
        assert.deepStrictEqual(yield* openTransactions(yield* SqlClient.SqlClient), [])
        openResponses[0]!.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_client"}')
        assert.strictEqual((yield* Fiber.join(trying)).json.works, false)
      })
    )

    it.effect("what uses one is told: automations whose steps name it, hooks that sign in by it", () =>
      Effect.gen(function* () {
        const { smtp: allowed, tokens } = yield* Servers
        const { call } = yield* organization
        const { smtp_account_id } = (yield* call("POST", "/smtp-account", account("127.0.0.1", allowed.port))).json
        const { authentication_provider_id } = (yield* call("POST", "/authentication-provider", {
          name: "Port",
          grant_type: "client_credentials",
          token_url: `${tokens.origin}/token`,
          client_id: "harbor",
          client_secret: "hidden-secret",
          allowed: "all"
        })).json
        const { workspace_id } = (yield* call("POST", "/workspace", { name: "Quay", type: "open" })).json
        const app = (yield* call("POST", "/app", {
          workspace_id,
          name: "Ships",
          fields: []
        })).json
        const text = (value: string) => [value]
        const mailing = yield* call("POST", `/automation/app/${app.app_id}`, {
          name: "Tells the pier",
          trigger: { type: "record_created", config: {} },
          actions: [
            {
              id: "branch",
              type: "conditional",
              config: {
                condition: null,
                action_rows: [
                  {
                    id: "mail",
                    type: "send_email",
                    config: { to_address: text("a@example.com"), subject: text("s"), smtp_account_id }
                  }
                ]
              }
            }
          ]
        })
        assert.strictEqual(mailing.status, 201, JSON.stringify(mailing.json))
        const hook = (yield* call("POST", `/hook/app/${app.app_id}`, {
          type: "record.create",
          url: "https://pier.example/hook"
        })).json
        const signed = yield* call("PUT", `/hook/${hook.hook_id}/settings`, {
          authentication: { type: "oauth2", authentication_provider_id }
        })
        assert.strictEqual(signed.status, 200, JSON.stringify(signed.json))
        const none = { automations: [], other_automations: 0, hooks: [], other_hooks: 0 }
        const uses = (yield* call("GET", `/smtp-account/${smtp_account_id}/usage`)).json
        assert.deepStrictEqual(uses, {
          ...none,
          automations: [
            { automation_id: mailing.json.automation.id, name: "Tells the pier", app_id: app.app_id, app_name: "Ships" }
          ]
        })
        assert.deepStrictEqual(
          (yield* call("GET", `/authentication-provider/${authentication_provider_id}/usage`)).json,
          { ...none, hooks: [{ hook_id: hook.hook_id, host: "pier.example" }] }
        )
      })
    )

    it.effect("members, tokens and other organizations get none of it", () =>
      Effect.gen(function* () {
        const { smtp: allowed, tokens } = yield* Servers
        const { call, orgId, owner } = yield* organization
        const newAccount = account("127.0.0.1", allowed.port)
        const newProvider = {
          name: "Port",
          grant_type: "client_credentials",
          token_url: `${tokens.origin}/token`,
          client_id: "harbor",
          client_secret: "hidden-secret"
        }
        const { smtp_account_id } = (yield* call("POST", "/smtp-account", newAccount)).json
        const { authentication_provider_id } = (yield* call("POST", "/authentication-provider", newProvider)).json
        const member = caller((yield* seedUser(orgId, "member")).key)
        const guest = caller((yield* seedUser(orgId, "guest")).key)
        const token = caller(yield* seedToken(owner.userId, ["organization:read", "organization.members:manage"]))
        const stranger = (yield* organization).call
        for (const [room, id, made] of [
          ["/smtp-account", smtp_account_id, newAccount],
          ["/authentication-provider", authentication_provider_id, newProvider]
        ] as const) {
          const itemPath = `${room}/${id}`
          for (const [method, path, body] of [
            ["GET", room, undefined],
            ["POST", room, made],
            ["PUT", itemPath, { name: "Mine" }],
            ["POST", `${itemPath}/try`, undefined],
            ["GET", `${itemPath}/usage`, undefined],
            ["DELETE", itemPath, undefined]
          ] as const) {
            for (const who of [member, guest, token])
              assert.strictEqual((yield* who(method, path, body)).status, 403, `${method} ${path}`)
            if (path.startsWith(itemPath)) assert.strictEqual((yield* stranger(method, path, body)).status, 404, path)
          }
        }
        assert.strictEqual((yield* stranger("GET", "/smtp-account")).json.total, 0)
        assert.strictEqual((yield* call("GET", "/smtp-account")).json.smtp_accounts[0].name, "Harbor mail")
      })
    )

    it.effect("attack: names with line breaks make no header of a mail", () =>
      Effect.gen(function* () {
        const { smtp } = yield* Servers
        smtp.taken.splice(0)
        const { call } = yield* organization
        const { smtp_account_id } = (yield* call("POST", "/smtp-account", {
          ...account("127.0.0.1", smtp.port),
          name: "Harbor\r\nBcc: thief@example.com",
          from_name: "Harbor\r\nBcc: thief@example.com"
        })).json
        const tried = yield* call("POST", `/smtp-account/${smtp_account_id}/try`)
        assert.deepStrictEqual(tried.json, { works: true, message: null })
        const [{ mail, to }] = smtp.taken as [(typeof smtp.taken)[number]]
        assert.strictEqual(to.length, 1)
        assert.isUndefined(mail.headers.find(({ key }) => key === "bcc"))
        const broken = { ...account("127.0.0.1", smtp.port), from_address: "a@example.com\r\nRCPT TO:<b@example.com>" }
        assert.strictEqual((yield* call("POST", "/smtp-account", broken)).status, 400)
      })
    )
  }
)
