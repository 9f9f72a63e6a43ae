// The addresses of the pages, in one table. They open to no other origin and answer HTML.
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { SignInThrottle } from "../../domain/accounts/SignInThrottle.ts"
import { addEveryMethod } from "../../platform/primitives/everyMethod.ts"
import { AssetRoutes, served } from "../web/assets.ts"
import { seeOther } from "../web/layout.ts"
import { onMethods, type PageEffect } from "../web/methods.ts"
import { forMember, forPerson, makeFrame } from "../web/pageFrame.ts"
import { makeApiKey } from "./apiKey.ts"
import { makeOrganizations } from "./chooseOrganization.ts"
import { makeConfirm } from "./confirm.ts"
import { makeDemoSignIn } from "./demoSignIn.ts"
import { makeForgotPassword } from "./forgotPassword.ts"
import { makeInvitation } from "./invitation.ts"
import { movedPages } from "./movedPages.ts"
import { makeOwnFactors } from "./ownFactors.ts"
import { passkeyAssets } from "./passkeyAssets.ts"
import { makePassword } from "./password.ts"
import { makeConnections } from "./personConnections.ts"
import { makeRecord } from "./record.ts"
import { makeSecondStep } from "./secondStep.ts"
import { makeSignIn } from "./signIn.ts"
import { makeStart } from "./start.ts"
import { makeTokens } from "./tokens.ts"
import { makeTotpSetup } from "./totpSetup.ts"

const Routes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const frame = yield* makeFrame
    const start = yield* makeStart
    const signIn = yield* makeSignIn
    const forgot = yield* makeForgotPassword
    const password = yield* makePassword
    const invitation = yield* makeInvitation
    const secondStep = yield* makeSecondStep
    const demoSignIn = yield* makeDemoSignIn
    const confirm = yield* makeConfirm
    const factors = yield* makeOwnFactors
    const totpSetup = yield* makeTotpSetup
    const organizations = yield* makeOrganizations
    const connections = yield* makeConnections
    const apiKey = yield* makeApiKey
    const tokens = yield* makeTokens
    const record = yield* makeRecord
    const { shown, postedByAnyone, postedByPerson, postedByMember } = frame
    const addPage = <R1 = never, R2 = never>(
      path: `/${string}`,
      show: PageEffect<R1> | undefined,
      act?: PageEffect<R2>
    ) => addEveryMethod(router, path, onMethods(show, act))

    yield* addPage("/", shown(start))
    yield* addPage("/sign-in", shown(signIn.show), postedByAnyone(signIn.submit))
    yield* addPage("/sign-in/second-step", shown(secondStep.show), postedByAnyone(secondStep.submit))
    yield* addPage("/sign-in/demo/:token", shown(demoSignIn))
    yield* addPage("/sign-out", undefined, postedByAnyone(signIn.signOut))
    yield* addPage("/account/forgot-password", shown(forgot.show), postedByAnyone(forgot.submit))
    yield* addPage("/account/password", shown(forPerson(password.showChange)), postedByPerson(password.change))
    yield* addPage("/account/password/:token", shown(password.showLink), postedByAnyone(password.useLink))
    yield* addPage("/invitation/:token", shown(invitation.show), postedByAnyone(invitation.submit))
    yield* addPage("/account/confirm", shown(forPerson(confirm.show)), postedByPerson(confirm.submit))
    yield* addPage("/account/factors", shown(forPerson(factors.show)), postedByPerson(factors.submit))
    yield* addPage("/account/factors/app", shown(forPerson(totpSetup.show)), postedByPerson(totpSetup.submit))
    yield* addPage("/account/factors/codes", shown(forPerson(factors.codes)))
    yield* addPage("/organization", shown(forPerson(organizations.show)), postedByPerson(organizations.choose))
    yield* addPage("/account/connections", shown(forPerson(connections.show)), postedByPerson(connections.end))
    yield* addPage("/account/api-key", shown(forMember(apiKey.show)), postedByMember(apiKey.rotate))
    yield* addPage("/account/tokens", shown(forMember(tokens.show)), postedByMember(tokens.submit))
    for (const [path, addressOf] of movedPages)
      yield* addPage(path, shown(forMember((visit) => Effect.succeed(seeOther(addressOf(visit))))))
    yield* addPage("/record/:record_id", shown(forPerson(record)))
  })
)

export const PageRoutes = Layer.mergeAll(Routes, AssetRoutes, served(passkeyAssets)).pipe(
  Layer.provide(SignInThrottle.layer)
)
