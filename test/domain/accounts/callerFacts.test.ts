// What comes with a credential (developer-api.md 1.7, 2.3): the facts about the resource of a path, in the query that finds the caller, are
// those that the question by itself finds, whatever the credential.
import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { Access, decide } from "../../../src/domain/accounts/Access.ts"
import { CredentialLookup } from "../../../src/domain/accounts/CredentialLookup.ts"
import { type ResourceFacts, type ResourceKind, resources } from "../../../src/domain/accounts/resourceFacts.ts"
import { App, appLayer, type Person, seedToken, seedUser } from "../../support/app.ts"
import { connect, ORIGIN, registerClient, signedIn } from "../../support/oauth.ts"
import { createApp, field, seedWorkspace } from "../../support/records.ts"

const kinds = Object.keys(resources) as ReadonlyArray<ResourceKind>

const seed = Effect.gen(function* () {
  const { orgId, owner, workspaceId } = yield* seedWorkspace
  const database = yield* createApp(owner, workspaceId, [field("single_text", "Reference")])
  return { appId: database.app_id as number, orgId, owner, workspaceId }
})

const pageToken = Effect.fnUntraced(function* (person: Person) {
  const app = yield* App
  const cookie = yield* signedIn(person.personId)
  return (yield* app.call("POST", "/console/token", { headers: { cookie, origin: ORIGIN } })).json
    .access_token as string
})

const credentialsOf = Effect.fnUntraced(function* (person: Person) {
  const { access_token } = yield* connect(person, yield* registerClient())
  return {
    "user API key": person.key,
    "personal access token": yield* seedToken(person.userId, ["records:read"]),
    "OAuth access token": access_token,
    "token of a page": yield* pageToken(person)
  }
})

layer(appLayer(), { excludeTestServices: true })("what is wanted with a credential", (it) => {
  it.effect("every kind of resource is asked about beside every kind of credential", () =>
    Effect.gen(function* () {
      const { appId, owner, workspaceId } = yield* seed
      const { resolve } = yield* CredentialLookup
      const ids: Partial<Record<ResourceKind, number>> = { app: appId, workspace: workspaceId }
      for (const [name, token] of Object.entries(yield* credentialsOf(owner))) {
        for (const kind of kinds) {
          const id = ids[kind]
          const caller = yield* resolve(token, { resource: { kind, id: id ?? 999_999_999 } })
          const facts: ResourceFacts = {
            workspace_id: workspaceId,
            app_id: kind === "app" ? appId : null,
            app_version: kind === "app" ? 1 : null,
            type: "default",
            member_role: null
          }
          assert.deepStrictEqual(caller?.lookup?.facts, id === undefined ? null : facts, `${name}, ${kind}`)
        }
        assert.isFalse("lookup" in (yield* resolve(token))!, name)
      }
    })
  )

  it.effect("they decide as the question by itself does: strangers, roles, selections, ids that are none", () =>
    Effect.gen(function* () {
      const { appId, orgId, owner, workspaceId } = yield* seed
      const other = yield* seed
      const app = yield* App
      const { resolve } = yield* CredentialLookup
      const access = yield* Access
      const closed = (yield* app.call("POST", "/v1/workspace", {
        token: owner.key,
        body: { name: "Vault", type: "private" }
      })).json.workspace_id as number
      const member = yield* seedUser(orgId, "member")
      const tokens = [
        owner.key,
        member.key,
        other.owner.key,
        yield* seedToken(member.userId, ["records:read"], { appIds: [appId] }),
        yield* seedToken(member.userId, ["records:read"], { appIds: [other.appId], workspaceIds: [] })
      ]
      const resources = [
        { kind: "app", id: appId },
        { kind: "workspace", id: workspaceId },
        { kind: "workspace", id: closed },
        { kind: "app", id: 0 },
        { kind: "app", id: 2 ** 60 },
        { kind: "record", id: 4_000_000_000 }
      ] as const
      const outcomes = new Set<string>()
      for (const token of tokens)
        for (const resource of resources)
          for (const level of [1, 5] as const)
            for (const hide of [false, true]) {
              const { lookup, ...caller } = (yield* resolve(token, { resource }))!
              const checkExit = yield* Effect.exit(access.check(caller, resource.kind, resource.id, level, hide))
              const decided = yield* Effect.exit(decide(caller, resource, lookup!.facts, level, hide))
              assert.deepStrictEqual(decided, checkExit)
              outcomes.add(Exit.isSuccess(checkExit) ? "granted" : String(Effect.runSync(Effect.flip(checkExit))._tag))
            }
      assert.deepStrictEqual([...outcomes].sort(), ["NotFound", "RecordNotFound", "Restricted", "granted"])
    })
  )

  it.effect("a right that has gone is gone on the next request, whatever came with the credential before", () =>
    Effect.gen(function* () {
      const { orgId, owner } = yield* seed
      const app = yield* App
      const creation = yield* app.call("POST", "/v1/workspace", {
        token: owner.key,
        body: { name: "Vault", type: "closed" }
      })
      const path = `/v1/workspace/${creation.json.workspace_id}`
      const member = yield* seedUser(orgId, "member")
      const invited = { token: owner.key, body: { user_id: member.userId, role: "admin" } }
      yield* app.call("POST", `${path}/member`, invited)
      const rename = app.call("PUT", path, { token: member.key, body: { name: "Vaults" } })
      assert.strictEqual((yield* rename).status, 200)
      yield* app.call("DELETE", `${path}/member/${member.userId}`, { token: owner.key })
      assert.strictEqual((yield* rename).status, 403)
    })
  )
})
