"""Search without a server. A page that is opened from disk may neither fetch the index nor start a worker of a file, so
both come in a script: the index as an object, the worker as a text of which the page makes an address of its own."""
import json
import re


def search(html):
    """Writes search/offline.js, which each page loads before the theme's own script (overrides/main.html)."""
    index = (html / "search" / "search_index.json").read_text(encoding="utf-8")
    worker = next((html / "assets" / "javascripts" / "workers").glob("search.*.min.js")).read_text(encoding="utf-8")
    worker = re.sub(r"\n//# sourceMappingURL=.*", "", worker)
    script = ("window.__search = {\n"
              f"  index: Promise.resolve({index}),\n"
              f"  worker: URL.createObjectURL(new Blob([{json.dumps(worker)}], {{type: 'text/javascript'}}))\n}};\n")
    (html / "search" / "offline.js").write_text(script.replace("</", "<\\/"), encoding="utf-8")
