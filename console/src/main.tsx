// The web console (docs/console.md): a client of the public API and nothing else.
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import "../../src/interfaces/web/style.css"
import "./ui/density.css"
import "./ui/console.css"
import "./ui/parts.css"
import "./ui/grid.css"
import "./ui/record.css"
import "./ui/hooks.css"
import "./ui/run.css"
import "./ui/home.css"
import "./ui/search.css"
import { queryClient } from "./api/client.ts"
import { listen } from "./api/live/live.ts"
import { beginWrites } from "./pages/records/writes/writeQueue.ts"
import { router } from "./router.tsx"
import { beginAppearance } from "./ui/appearance.ts"

beginAppearance()
listen()
beginWrites()

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>
)
