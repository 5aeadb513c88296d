/**
 * The worker thread's program: answers HTML with Markdown.
 * Elements that Markdown lacks are left out. It is sanitised when it is rendered, as any text.
 */
import { parentPort } from "node:worker_threads";
import rehypeParse from "rehype-parse";
import rehypeRemark from "rehype-remark";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";

const processor = unified()
  .use(rehypeParse, { fragment: true })
  // Links stay as they are written: a base address could be of any form.
  .use(rehypeRemark, { handlers: { base: () => undefined } })
  .use(remarkGfm)
  .use(remarkStringify, { bullet: "-", emphasis: "*", fences: true, rule: "-" });

function markdownOf(html: string): string | null {
  try {
    return processor.processSync(html).toString().trim();
  } catch {
    // Elements nested by the thousand, or input that a library does not expect.
    return null;
  }
}

parentPort?.on("message", (html: string) => parentPort?.postMessage(markdownOf(html)));
parentPort?.postMessage("ready");
