// Attempts as a table: when, how long, and what the receiver said or why there was no answer.
import type { AnswerOf } from "@millrace/client"
import { attemptRows as texts } from "../../texts/hooks/deliveries.ts"
import { ScrollTable } from "../../ui/ScrollTable.tsx"
import { Time } from "../../ui/Time.tsx"
import { errorWords } from "./hookWords.ts"

type Attempt = AnswerOf<"webhooks.verification">["attempts"][number]

interface AttemptRowsProps {
  readonly caption: string
  readonly attempts: ReadonlyArray<Attempt & { readonly next_attempt_on?: string | null }>
}
export const AttemptRows = ({ caption, attempts }: AttemptRowsProps) => (
  <ScrollTable label={caption}>
    <thead>
      <tr>
        <th scope="col">{texts.when}</th>
        <th scope="col">{texts.answer}</th>
        <th scope="col">{texts.took}</th>
        <th scope="col">{texts.whatItSaid}</th>
      </tr>
    </thead>
    <tbody>
      {attempts.map((attempt) => (
        <tr key={`${attempt.attempted_on} ${attempt.latency_ms} ${attempt.status_code}`}>
          <td>
            <Time seconds at={attempt.attempted_on} />
            {attempt.next_attempt_on == null ? null : (
              <small>
                <br />
                {texts.nextTime(<Time seconds at={attempt.next_attempt_on} />)}
              </small>
            )}
          </td>
          <td>
            {attempt.status_code ?? texts.none}
            {attempt.error === null ? null : (
              <>
                <br />
                {errorWords(attempt.error)}
              </>
            )}
          </td>
          <td>{texts.milliseconds(attempt.latency_ms)}</td>
          <td>{attempt.response_body ? <code>{attempt.response_body.slice(0, 500)}</code> : "–"}</td>
        </tr>
      ))}
    </tbody>
  </ScrollTable>
)
