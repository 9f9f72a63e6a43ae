// Verifies one delivery: the body on stdin, the headers and HOOK_SECRET in the environment. npm install standardwebhooks
import { text } from "node:stream/consumers"
import { Webhook } from "standardwebhooks"

const { HOOK_SECRET, WEBHOOK_ID, WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE } = process.env

const event = new Webhook(HOOK_SECRET).verify(await text(process.stdin), {
  "webhook-id": WEBHOOK_ID,
  "webhook-timestamp": WEBHOOK_TIMESTAMP,
  "webhook-signature": WEBHOOK_SIGNATURE
})
console.log(event.type)
