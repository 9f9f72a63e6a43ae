// Signatures of GitHub and Stripe, made by the senders' own libraries.
import { sign } from "@octokit/webhooks-methods"
import Stripe from "stripe"

const { webhooks } = new Stripe("sk_test_none")

/** Value of `X-Hub-Signature-256`. */
export const githubSignature = (key: string, body: string) => sign(key, body)

/** Value of `Stripe-Signature`. @param seconds the signed time */
export const stripeSignature = (key: string, body: string, seconds: number) =>
  webhooks.generateTestHeaderStringAsync({ payload: body, secret: key, timestamp: seconds })
