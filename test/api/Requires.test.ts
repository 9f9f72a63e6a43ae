// What an endpoint asks of its caller (developer-api.md 2.3, 2.4): whoever forgets the guard of a scope is told by the compiler, which
// also reads this file; the annotation is what the middleware reads.
import { assert, describe, it } from "@effect/vitest"
import { Context } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { Api } from "../../src/api/Api.ts"
import { guardedParam, Requires, requires } from "../../src/api/middleware/Requires.ts"
import { scopes } from "../../src/domain/accounts/Scope.ts"

const ofRecord = HttpApiEndpoint.get("ofRecord", "/v1/record/:record_id")
const ofApp = HttpApiEndpoint.get("ofApp", "/v1/app/:app_id")

describe("a scope whose resources need a guard", () => {
  it("is declared with one, on a path that holds its id", () => {
    const guard = { kind: "record", level: 1 } as const
    const requirements = Context.get(ofRecord.pipe(requires({ scope: "records:read", guard })).annotations, Requires)
    assert.deepStrictEqual(requirements, { scope: "records:read", guard })
    // @ts-expect-error the path holds no record_id
    ofApp.pipe(requires({ scope: "records:read", guard }))
    // @ts-expect-error a hook is not what this scope reaches
    requires({ scope: "records:read", guard: { kind: "hook", level: 1 } })
  })

  it("is not declared without one, unless it says who looks instead", () => {
    // @ts-expect-error neither guard nor reason
    requires({ scope: "records:read" })
    const requirements = Context.get(
      ofApp.pipe(requires({ scope: "apps:read", unguarded: "filtered" })).annotations,
      Requires
    )
    assert.isUndefined(requirements.guard)
  })

  it("every endpoint's guard is of its scope and reads a parameter of its path", () => {
    let guards = 0
    for (const group of Object.values(Api.groups)) {
      for (const { annotations, path } of Object.values(group.endpoints as Record<string, HttpApiEndpoint.Top>)) {
        const { guard, scope } = Context.get(annotations, Requires)
        if (guard === undefined) continue
        guards++
        assert.include(path, `/:${guardedParam(guard)}`)
        assert.include(scopes[scope!].names as ReadonlyArray<string>, guard.kind, path)
      }
    }
    assert.isAbove(guards, 40)
  })
})
