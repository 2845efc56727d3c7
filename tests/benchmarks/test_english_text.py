import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "english_text.py"


def conllu(sent_id, *forms):
    words = "".join(f"{position}\t{form}\t_\t_\t_\t_\t0\troot\t_\t_\n" for position, form in enumerate(forms, 1))
    return f"# sent_id = {sent_id}\n{words}\n"


def test_only_texts_with_a_free_licence_are_read(tmp_path):
    (tmp_path / "ewt").write_text(conllu("weblog-1", "A", "web", "log", "."))
    gum = [conllu(f"GUM_{genre}_x-1", genre, "text") for genre in ("news", "fiction", "reddit", "bio", "vlog")]
    (tmp_path / "gum").write_text("".join(gum))
    (tmp_path / "union").write_text("Mr. President, we met. We voted¡Xtwice! It was America¡¦s\u3000day.\n")
    files = [str(tmp_path / name) for name in ("ewt", "gum", "union")]
    text = subprocess.run([sys.executable, SCRIPT, *files], capture_output=True, text=True, check=True).stdout
    assert text.splitlines()[:3] == ["A web log .", "news text", "bio text"]
    assert text.splitlines()[3:] == ["Mr. President , we met .", "We voted — twice !", "It was America 's day ."]
    assert subprocess.run([sys.executable, SCRIPT], capture_output=True, check=False).returncode == 2
