// `/account/factors/app`: an authenticator app is set up by a QR code and counts when it has shown a code. Until then its secret is in the form
// alone, sealed for this session and for ten minutes.
import { Clock, Effect } from "effect"
import { renderSVG } from "uqr"
import { Factors } from "../../domain/accounts/factors/Factors.ts"
import { keyUri, newSecret } from "../../domain/accounts/factors/totp.ts"
import { SessionProofs } from "../../domain/oauth/SessionProofs.ts"
import { passing } from "../../platform/sealing/SealedColumn.ts"
import { Secrets } from "../../platform/sealing/Secrets.ts"
import type { Fields } from "../web/form.ts"
import { html, trusted } from "../web/html.ts"
import { page, seeOther } from "../web/layout.ts"
import { localPath } from "../web/next.ts"
import { field, hidden, note } from "../web/parts.ts"
import type { SignedIn } from "../web/Visitors.ts"
import { confirmAt } from "./confirm.ts"
import { factorName, NAME_LENGTH, shownCodes } from "./factorNames.ts"

const path = "/account/factors/app"
const OPEN_MILLIS = 10 * 60_000

/** Groups the secret in fours, as people read it. */
const spaced = (secret: string) => secret.match(/.{1,4}/g)?.join(" ") ?? secret

export const makeTotpSetup = Effect.gen(function* () {
  const factors = yield* Factors
  const proofs = yield* SessionProofs
  const secrets = yield* Secrets
  const codes = yield* shownCodes

  const context = ({ session }: SignedIn) => passing(`pages/factors/${session.session_id}`)
  const sealed = (visit: SignedIn, secret: string, until: number) =>
    Buffer.from(secrets.encrypt(`${until} ${secret}`, context(visit))).toString("base64url")

  /** The secret that this session was shown; undefined when that is too long ago. */
  const opened = Effect.fnUntraced(function* (visit: SignedIn, text: string) {
    const decryptedText = yield* secrets
      .decrypt(Buffer.from(text.slice(0, 1000), "base64url"), context(visit))
      .pipe(Effect.catchTag("SecretUnreadable", () => Effect.succeed("0 ")))
    const [until = "", secret = ""] = decryptedText.split(" ")
    return Number(until) > (yield* Clock.currentTimeMillis) ? { secret, until: Number(until) } : undefined
  })

  interface Shown {
    readonly next: string
    readonly secret: string
    readonly until: number
    readonly problem?: string
  }

  const view = (visit: SignedIn, { next, problem, secret, until }: Shown) => {
    const code = renderSVG(keyUri(secret, visit.person.email), { border: 2 })
    return page({
      title: "Set up an authenticator app",
      visit,
      status: problem === undefined ? 200 : 400,
      body: html`<h1>Set up an authenticator app</h1>${problem !== undefined && note("bad", problem)}
<div class="card"><h2>1. Scan this with the app</h2><div class="qr" role="img" aria-label="QR code of the secret below">${trusted(code)}</div>
<details><summary>Or type this secret in</summary><pre class="secret" tabindex="0" aria-label="The secret">${spaced(secret)}</pre></details></div>
<div class="card"><h2>2. Enter the code that it shows</h2><form method="post" action="${path}">${hidden("csrf", visit.session.csrf)}${hidden("next", next)}${hidden("secret", sealed(visit, secret, until))}
${field({ name: "name", label: "Name", type: "text", value: "Authenticator app", max: NAME_LENGTH })}
${field({ name: "code", label: "Code", type: "text", autocomplete: "one-time-code", numeric: true, max: 12 })}
<div class="buttons"><button>Turn on</button></div></form></div>`
    })
  }

  const showNewSecret = Effect.fnUntraced(function* (visit: SignedIn, next: string) {
    const until = (yield* Clock.currentTimeMillis) + OPEN_MILLIS
    return view(visit, { next, secret: newSecret(), until })
  })

  const confirmHere = (next: string) => confirmAt(`${path}?next=${encodeURIComponent(next)}`)

  const show = Effect.fn("pages.totpSetup")(function* (visit: SignedIn) {
    const next = localPath(visit.query.get("next"))
    return (yield* proofs.isFresh(visit.session, true))
      ? yield* showNewSecret(visit, next)
      : seeOther(confirmHere(next))
  })

  const submit = Effect.fn("pages.totpSetupSubmit")(function* (visit: SignedIn, fields: Fields) {
    const { person, session } = visit
    const next = localPath(fields.get("next"))
    if (!(yield* proofs.isFresh(session, true))) return seeOther(confirmHere(next))
    const shownSecret = yield* opened(visit, fields.get("secret"))
    if (shownSecret === undefined) return yield* showNewSecret(visit, next)
    const owner = { person, sessionId: session.session_id }
    return yield* factors
      .addTotp(owner, factorName(fields, "Authenticator app"), shownSecret.secret, fields.get("code"))
      .pipe(
        Effect.map((made) =>
          made === undefined ? seeOther("/account/factors?done=added") : codes.keep(visit, made, next)
        ),
        Effect.catchTag(["ValidationError", "Conflict"], ({ message }) =>
          Effect.succeed(view(visit, { next, ...shownSecret, problem: message }))
        )
      )
  })

  return { show, submit }
})
