// Keeps connections to mail servers for as long as they are used (decisions P3), and remembers each server's abilities.
import { Effect, Equal, Hash, RcMap } from "effect"
import type { SendMailOptions } from "nodemailer"
import type { Outbound } from "../outbound/Outbound.ts"
import { MailTransportError, openTransport, type SmtpTarget, takesUtf8, transportError } from "./smtpTransport.ts"
import { isInternational } from "./smtpUtf8.ts"

type MailServers = Outbound["Service"]["mailServers"]

/**
 * Route of a mail, equal by name; an account's name changes with its version. The target, and its password, is kept for as long as its
 * transport is.
 */
export class MailRoute implements Equal.Equal {
  readonly name: string
  readonly target: SmtpTarget
  constructor(name: string, target: SmtpTarget) {
    this.name = name
    this.target = target
  }
  [Equal.symbol](that: Equal.Equal): boolean {
    return that instanceof MailRoute && that.name === this.name
  }
  [Hash.symbol](): number {
    return Hash.string(this.name)
  }
}

/** Remembers an answer; a failure is asked again. */
const remembered = <E>(ask: Effect.Effect<boolean, E>): Effect.Effect<boolean, E> => {
  let rememberedAnswer: boolean | undefined
  return Effect.suspend(() =>
    rememberedAnswer !== undefined
      ? Effect.succeed(rememberedAnswer)
      : Effect.tap(ask, (answer) =>
          Effect.sync(() => {
            rememberedAnswer = answer
          })
        )
  )
}

export const makeTransports = Effect.fnUntraced(function* (servers: MailServers) {
  const openTransports = yield* RcMap.make({
    lookup: ({ target }: MailRoute) =>
      Effect.map(openTransport(target, servers), (transporter) => ({
        transporter,
        takesInternational: remembered(takesUtf8(target, servers))
      })),
    idleTimeToLive: "1 minute"
  })

  const deliver = (way: MailRoute, options: SendMailOptions) =>
    Effect.scoped(
      Effect.flatMap(RcMap.get(openTransports, way), ({ transporter }) =>
        Effect.tryPromise({ try: () => transporter.sendMail(options), catch: transportError })
      )
    )

  /**
   * Addresses that the server cannot take (RFC 6531); fails if the sender's is one, or no recipient is left.
   * @param others addresses that the mail names and does not go to
   */
  const notTaken = Effect.fnUntraced(function* (
    way: MailRoute,
    sender: string,
    recipients: ReadonlyArray<string>,
    others: ReadonlyArray<string>
  ) {
    const international = [...recipients, ...others].filter(isInternational)
    const bySender = isInternational(sender)
    if (international.length === 0 && !bySender) return []
    const supportsUtf8 = yield* Effect.scoped(
      Effect.flatMap(RcMap.get(openTransports, way), ({ takesInternational }) => takesInternational)
    )
    if (supportsUtf8) return []
    if (!bySender && !recipients.every(isInternational)) return international
    const addresses = bySender ? sender : international.join(", ")
    return yield* new MailTransportError({
      temporary: false,
      message: `The mail server takes no addresses with letters beyond ASCII before the @ (SMTPUTF8): ${addresses.slice(0, 300)}`
    })
  })

  return { deliver, notTaken }
})
