// docs/console.md, the policies of the organization in real Chromium (decisions O15, "The second step"): the sign-in policy, rules for apps and
// blocks of people, each end after a question; each page as axe, three sizes and both themes see it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { PASSWORD, Scene } from "../pages/chromium.ts"
import { codeAt } from "../pages/secondSteps.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, led, typeInto, until } from "../pages/waiting.ts"
import { seedConnections } from "./connectionSeeds.ts"
import { callerOfScene } from "./consoleSeeds.ts"
import {
  choose,
  complaintsOf,
  fill,
  gone,
  judgedInAllSizes,
  openConsoleTab,
  opened,
  press,
  promise,
  shows,
  signInTo
} from "./consoleTab.ts"

layer(SharedScene, { excludeTestServices: true })("the policies of the organization", (it) => {
  it.effect(
    "O15: a rule that ends connections asks first; an app is blocked for one person, and before anybody has it",
    () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Scene
        const call = yield* callerOfScene
        yield* seedConnections("tide", "Tide tables", 3)
        const tab = yield* openConsoleTab(browser)
        const { page } = tab
        // The address that decisions O15 names.
        yield* signInTo(tab, `${service.origin}/organization/apps`, "Harbor Works")
        yield* opened(page, "Connected apps")
        const app = (id: string) =>
          Effect.map(call("GET", "/app-policy"), ({ apps }) => apps.find(({ client_id }: any) => client_id === id))
        const access = "Who may connect Tide tables"
        yield* choose(page, access, "Blocked")
        yield* shows(page, "3 people have connected it.")
        yield* judgedInAllSizes(page, "app-block-question")
        yield* press(page, "Cancel")
        yield* gone(page, "dialog")
        assert.deepInclude(yield* app("tide"), { access: null, connections: 3 })
        yield* choose(page, access, "Approved for admins and owners only")
        yield* press(page, "Limit it")
        yield* shows(page, "The rule ended the connections of 2 people.")
        assert.deepInclude(yield* app("tide"), { access: "admins", connections: 1 })

        yield* press(page, "Block for one person: Tide tables")
        yield* shows(page, "Their connection ends at once")
        yield* judgedInAllSizes(page, "app-block-person")
        yield* choose(page, "Person", "Pilot 1 (tide-1@harbor.example)")
        yield* press(page, "Block")
        yield* gone(page, "dialog")
        yield* shows(page, "Pilot 1")
        yield* judgedInAllSizes(page, "app-policy")
        assert.lengthOf((yield* app("tide")).blocked_user_ids, 1)
        yield* press(page, "Unblock Tide tables for Pilot 1")
        yield* gone(page, `[aria-label="Unblock Tide tables for Pilot 1"]`)
        assert.lengthOf((yield* app("tide")).blocked_user_ids, 0)

        yield* press(page, "Add a rule")
        yield* fill(page, "Client ID", "tide")
        yield* shows(page, "Tide tables is in the list: change its rule there.")
        yield* fill(page, "Client ID", "svc_oc_none")
        yield* choose(page, "Who may connect it", "Blocked")
        yield* press(page, "Add rule")
        yield* shows(page, "there is no app with this client ID.")
        yield* judgedInAllSizes(page, "app-rule")
        yield* fill(page, "Client ID", "https://app.example/client.json")
        yield* press(page, "Add rule")
        yield* gone(page, "dialog")
        yield* shows(page, "https://app.example/client.json")
        assert.deepInclude(yield* app("https://app.example/client.json"), { access: "blocked", connections: 0 })
        const complaints = complaintsOf(tab).filter((one) => !/status of 400/.test(one))
        assert.deepStrictEqual(complaints, [])
      }).pipe(Effect.scoped)
  )

  it.effect("P8: of hundreds of rules the page holds fifty apps, and more when asked", () =>
    Effect.gen(function* () {
      const { browser, orgId, service } = yield* Scene
      const sql = yield* SqlClient.SqlClient
      yield* sql`
        INSERT INTO org_app_policies (org_id, client_id, access)
        SELECT ${orgId}, 'https://a.example/' || n, 'blocked' FROM generate_series(1, 300) n`
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* signInTo(tab, `${service.origin}/console/admin/apps`, "Harbor Works")
      yield* opened(page, "Connected apps")
      const holds = (count: number) =>
        promise(() => until(page, `document.querySelectorAll("main li.card select").length === ${count}`))
      yield* holds(50)
      yield* press(page, "Show more apps")
      yield* holds(100)
      yield* fill(page, "Find an app", "a.example/299")
      yield* holds(1)
      yield* sql`DELETE FROM org_app_policies WHERE org_id = ${orgId}`
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("a second step is required after a question, by who has one and confirmed; one that is lost is reset", () =>
    Effect.gen(function* () {
      const { browser, orgId, service } = yield* Scene
      const sql = yield* SqlClient.SqlClient
      yield* callerOfScene
      yield* sql`
        WITH p AS (
          INSERT INTO people (email, name, created_on)
          SELECT 'hand' || n || '@harbor.example', 'Deck hand ' || n, now() FROM generate_series(1, 60) n RETURNING person_id, name)
        INSERT INTO users (org_id, person_id, name, role, status, created_on)
        SELECT ${orgId}, person_id, name, 'member', 'active', now() FROM p`
      yield* sql`
        INSERT INTO factors (person_id, kind, name, created_on, secret)
        SELECT person_id, 'totp', 'Phone', now(), '\\x00' FROM people WHERE email = 'hand7@harbor.example'`
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* signInTo(tab, `${service.origin}/organization/sign-in`, "Harbor Works")
      yield* opened(page, "Sign-in policy")
      yield* shows(page, "You have none yourself.")
      yield* judgedInAllSizes(page, "sign-in-policy-none")
      yield* press(page, "Set up a second step", "link")
      yield* opened(page, "Sign-in methods")
      yield* press(page, "Set up an app")
      yield* shows(page, "1. Scan this with the app")
      const secret = String(
        yield* promise(() => page.evaluate("document.querySelector('dialog details .secret').textContent"))
      ).replaceAll(" ", "")
      yield* fill(page, "Code", codeAt(secret, Date.now()))
      yield* press(page, "Turn on")
      yield* shows(page, "Your recovery codes")

      yield* promise(() => page.goto(`${service.origin}/console/admin/sign-in`))
      yield* opened(page, "Sign-in policy")
      yield* gone(page, `[aria-label^="Reset"]`)
      yield* promise(() => led(page, () => clicked(page, 'a[href^="/account/confirm"]')))
      yield* promise(() => typeInto(page, "#password", PASSWORD))
      yield* promise(() => led(page, () => clicked(page, "main button")))
      yield* opened(page, "Sign-in policy")
      const people = (count: number) =>
        promise(() => until(page, `document.querySelectorAll(".people > .person").length === ${count}`))
      yield* people(50)
      yield* press(page, "Show more people")
      yield* fill(page, "Find a person", "hand7@")
      yield* people(1)
      yield* judgedInAllSizes(page, "sign-in-policy")
      yield* press(page, "Reset the second step of Deck hand 7")
      yield* shows(page, "and they are signed out everywhere")
      yield* judgedInAllSizes(page, "sign-in-reset")
      yield* press(page, "Reset")
      yield* shows(page, "Password alone")
      assert.lengthOf(yield* sql`SELECT 1 FROM factors JOIN people USING (person_id) WHERE email LIKE 'hand7@%'`, 0)

      yield* choose(page, "Require one from everybody", "In 30 days")
      yield* press(page, "Require a second step")
      yield* shows(page, "after 30 days they set one up before they do anything else here.")
      yield* judgedInAllSizes(page, "sign-in-require")
      yield* press(page, "Require it")
      yield* shows(page, "It is required from")
      yield* press(page, "Make it optional")
      yield* shows(page, "Whoever has none signs in by the password alone.")
      yield* press(page, "Make it optional")
      yield* shows(page, "It is optional: everybody decides for themselves.")
      yield* sql`DELETE FROM factors`
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
