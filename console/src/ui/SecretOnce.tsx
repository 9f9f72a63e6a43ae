// A secret that is shown once, and copied at a press.
import { type ReactNode, useState } from "react"
import { secretOnce as texts } from "../texts/ui/ui.ts"

interface SecretOnceProps {
  readonly secret: string
  /** Says what it is, and that it is not shown again. */
  readonly children: ReactNode
}
export const SecretOnce = ({ secret, children }: SecretOnceProps) => {
  const [isCopied, setCopied] = useState(false)
  // Browsers offer the clipboard to pages over https and of this machine alone.
  const { clipboard } = navigator as { readonly clipboard?: Clipboard }
  return (
    <div className="note good once" role="status">
      <p>{children}</p>
      <p>
        <code className="secret">{secret}</code>
      </p>
      {clipboard !== undefined && (
        <button
          type="button"
          className="quiet small"
          onClick={() => void clipboard.writeText(secret).then(() => setCopied(true))}
        >
          {isCopied ? texts.copied : texts.copy}
        </button>
      )}
    </div>
  )
}
