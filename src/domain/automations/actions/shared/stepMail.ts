// Sends one mail of a step (developer-api.md 7.6, 6; decisions A19), under a Message-ID derived from the step's key, so that a repeat after
// a crash sends nothing twice.

import { Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { withoutAddress } from "../../../../platform/mail/addresses.ts"
import { Mail, type MailFailure } from "../../../../platform/mail/Mail.ts"
import { isInternational } from "../../../../platform/mail/smtpUtf8.ts"
import { withheldText } from "../../../../platform/sharing/withheldText.ts"
import { Matching } from "../../filter/evaluateMany.ts"
import { conditionsOf } from "../../filter/evaluateTree.ts"
import type { FilterGroup, Reference } from "../../model/Definition.ts"
import { Values } from "../../model/Resolver.ts"
import type { LoopFrame } from "../../model/RunScope.ts"
import { type Step, StepFailed, type StepOutcome, success } from "../../model/Step.ts"
import { isOfFiles } from "../../schema/fileReferences.ts"
import type { ActionConfig } from "../registry.ts"
import { skipInSimulation } from "../simulation.ts"
import { RunFiles, type StoredFile } from "./RunFiles.ts"

type MailConfig = ActionConfig<"send_email">

const ATTACHMENTS_MAX = 20 * 1024 * 1024

const addressKeys = ["to_address", "cc_address", "bcc_address", "reply_address"] as const

/** Retries within the step; a longer outage fails it. */
const retries = Schedule.upTo(Schedule.exponential("2 seconds"), { times: 2 })

/** Entries of a list that the log names. */
const LEFT_OUT_TOLD = 20

const refusal = (address: string) =>
  isInternational(address)
    ? `The server refused ${address}; letters beyond ASCII before the @ are not taken by every server (SMTPUTF8).`
    : `The server refused ${address}.`

const temporary = (error: MailFailure) => error._tag === "MailTransportError" && error.temporary

export const makeStepMail = Effect.gen(function* () {
  const mail = yield* Mail
  const values = yield* Values
  const matching = yield* Matching
  const files = yield* RunFiles

  /** Evaluates the condition for each file: its file subjects mean one file at a time. */
  const matches = (group: FilterGroup, found: ReadonlyArray<StoredFile>, step: Step) => {
    const subjects = [...conditionsOf(group)].map(({ subject }): Reference => subject).filter(isOfFiles)
    const scopes = found.map((file, index) => {
      const frames = subjects.map(
        (iterable): LoopFrame => ({ iterable, index, size: found.length, item: { type: "value", value: file } })
      )
      return { ...step, loops: [...step.loops, ...frames] }
    })
    return Effect.map(matching.judge(group, scopes), (results) => found.filter((_, index) => results[index]))
  }

  const attachments = Effect.fnUntraced(function* (step: Step<MailConfig>) {
    const {
      attach_files_match_condition: condition,
      attach_files_match_type: type,
      attach_files_variable_defs: defs
    } = step.config
    const ids = new Set<number>()
    for (const def of defs) for (const id of yield* values.fileIds(def, step)) ids.add(id)
    const candidateFiles = yield* files.find(step, [...ids])
    const filtered =
      type.endsWith("filtered") && condition !== null ? yield* matches(condition, candidateFiles, step) : candidateFiles
    // Later files have greater ids.
    const newest = filtered.toSorted((one, other) => other.file_id - one.file_id).slice(0, 1)
    const chosenFiles = type.startsWith("most_recent") ? newest : filtered
    if (chosenFiles.reduce((sum, file) => sum + file.size, 0) > ATTACHMENTS_MAX) {
      return yield* new StepFailed({ message: "The attachments are larger than 20 MB in total." })
    }
    return chosenFiles
  })

  return Effect.fnUntraced(function* (step: Step<MailConfig>): Effect.fn.Return<StepOutcome, StepFailed | SqlError> {
    const { config } = step
    const texts: Record<string, string> = {}
    for (const key of addressKeys) texts[key] = yield* values.text(config[key], step, "addresses")
    const from_address = (yield* values.text(config.from_address, step)).trim()
    const from_name = (yield* values.text(config.from_name, step)).trim()
    const subject = yield* values.textToSend(config.subject, step)
    const html = yield* values.textToSend(config.message_body, step, "html")
    const chosenFiles = yield* attachments(step)
    const attached = chosenFiles.map((file) => file.filename)
    const loggedInputs = { ...texts, from_address, from_name, subject, message_body: html, attachments: attached }
    for (const [key, value] of Object.entries(loggedInputs)) if (value.length > 0) step.log.input(key, value)
    for (const key of addressKeys)
      for (const entry of withoutAddress(texts[key]!).slice(0, LEFT_OUT_TOLD))
        step.log.add("warn", `${key}: ${JSON.stringify(entry.trim())} is no mail address and is left out.`)
    if (step.simulation) return skipInSimulation(`a mail to ${texts["to_address"]} would be sent.`)
    const mailResult = yield* mail
      .send({
        orgId: step.run.org_id,
        appId: step.automation.app_id,
        ...(config.smtp_account_id === undefined ? {} : { accountId: config.smtp_account_id }),
        from: {
          ...(from_address === "" ? {} : { address: from_address }),
          ...(from_name === "" ? {} : { name: from_name })
        },
        to: texts["to_address"]!,
        cc: texts["cc_address"]!,
        bcc: texts["bcc_address"]!,
        replyTo: texts["reply_address"]!,
        subject,
        html,
        attachments: yield* Effect.forEach(chosenFiles, (file) =>
          Effect.map(files.bytes(file), (content) => ({
            filename: file.filename,
            mimetype: file.mimetype,
            content
          }))
        ),
        messageId: step.key,
        kept: step.secrets.without
      })
      .pipe(
        Effect.retry({ while: (error) => !step.retried && temporary(error), schedule: retries }),
        Effect.mapError((error) => new StepFailed({ message: error.message, passing: temporary(error) }))
      )
    step.log.output("message_id", mailResult.message_id)
    if (mailResult.withheld === true)
      step.log.add(
        "warn",
        `The organization's default mail account ${withheldText}. The mail went by the installation's server.`
      )
    for (const address of mailResult.rejected) step.log.add("warn", refusal(address))
    return success
  })
})
