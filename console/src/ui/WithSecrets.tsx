// A text of a run's log: what the service has hidden in it stands out as such.
import { withSecrets as texts } from "../texts/ui/ui.ts"

/** Placeholder that the log writes for a secret. */
const HIDDEN = "•••"

export const WithSecrets = ({ text }: { readonly text: string }) =>
  text.split(HIDDEN).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name
    <span key={index}>
      {index > 0 && (
        <span className="hidden-secret" title={texts.secretNobodyIsShownIt}>
          {HIDDEN}
          <span className="unseen"> {texts.secretNotShown} </span>
        </span>
      )}
      {part}
    </span>
  ))
