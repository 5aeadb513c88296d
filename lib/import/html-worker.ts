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
  .use(rehypeRemark)
  .use(remarkGfm)
  .use(remarkStringify, { bullet: "-", emphasis: "*", fences: true, rule: "-" });

function markdownOf(html: string): string | null {
  try {
    return processor.processSync(html).toString().trim();
  } catch (error) {
    // Elements in each other by the thousand.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

parentPort?.on("message", (html: string) => parentPort?.postMessage(markdownOf(html)));
parentPort?.postMessage("ready");
